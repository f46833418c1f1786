"""A pytest plugin for the processes that mutmut forks: what they inherit from the one that ran the tests is put back."""

import sys

import pytest
from hypothesis import Phase, settings

settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate])  # the first example that fails is enough
settings.load_profile("mutants")


@pytest.hookimpl
def pytest_sessionstart() -> None:
    """The good code filled the engine's caches, and a change behind one of them would never be seen."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("agent."):
            for value in vars(module).values():
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()
