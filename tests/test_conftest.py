import socket

import pytest
from django.conf import settings
from django.db import connection

from tests.conftest import ON_POSTGRES, TEST_DATA
from tests.network import NetworkRefused


def test_the_settings_of_tests_write_into_a_folder_of_their_own():
    assert TEST_DATA.resolve() == settings.DATA_DIR


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "asksmall.example"])
def test_a_test_cannot_reach_past_this_machine(host):
    with pytest.raises(NetworkRefused, match="servers that they start"):
        socket.create_connection((host, 80), timeout=1)


def test_a_datagram_cannot_leave_this_machine():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as box, pytest.raises(NetworkRefused):
        box.sendto(b"hello", ("192.0.2.1", 9))


def test_a_server_on_loopback_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), timeout=1) as client:
        assert client.getpeername() == server.getsockname()


@pytest.mark.both_databases
@pytest.mark.django_db
def test_the_second_run_is_on_postgresql():
    assert connection.vendor == ("postgresql" if ON_POSTGRES else "sqlite")
