import pytest

from tests.engine import engine


@pytest.fixture(scope="session")
def town(tmp_path_factory):
    """What a run over the example town may touch, with the rules model."""
    return engine(tmp_path_factory.mktemp("town"))
