import socket
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from urllib.parse import urlsplit

from flong.demo import Portal, serve
from tests.waiting import HANG_SECONDS

PORTAL = Portal(seed=2, articles=60)


def ask(connection, path, method="GET", headers=None):
    connection.request(method, path, headers=headers or {})
    response = connection.getresponse()
    return response, response.read()


def connect(site):
    return HTTPConnection(urlsplit(site.url).netloc, timeout=HANG_SECONDS)


def test_connection_is_reused_and_requests_are_logged():
    paths = [truth.path for truth in PORTAL.truth()]
    with serve(PORTAL) as site:
        connection = connect(site)
        bodies = [ask(connection, path)[1] for path in paths]
        connection.close()
        assert [request.target for request in site.log] == paths
        assert {request.status for request in site.log} == {200}
        assert bodies == [
            PORTAL.get(path, {"Host": urlsplit(site.url).netloc}).body for path in paths
        ]


def test_conditional_requests_work_over_http():
    path = next(PORTAL.truth()).path
    with serve(PORTAL) as site:
        connection = connect(site)
        first, _ = ask(connection, path)
        again, body = ask(connection, path, headers={"If-None-Match": first.headers["ETag"]})
        connection.close()
        assert (again.status, body) == (304, b"")
        assert [request.conditional for request in site.log] == [False, True]


def test_portal_can_be_replaced_at_the_same_url():
    with serve(PORTAL) as site:
        connection = connect(site)
        _, before = ask(connection, "/")
        site.portal = PORTAL.redesigned()
        _, after = ask(connection, "/")
        connection.close()
        assert before != after


def test_head_has_no_body_and_errors_keep_the_connection():
    with serve(PORTAL) as site:
        connection = connect(site)
        head, body = ask(connection, "/", "HEAD")
        assert (head.status, body) == (200, b"")
        assert int(head.headers["Content-Length"]) > 1000
        assert ask(connection, "/nowhere")[0].status == 404
        assert ask(connection, "/city")[0].status == 301
        assert ask(connection, "/about")[0].status == 200
        connection.close()


def test_several_clients_are_served_side_by_side():
    paths = [truth.path for truth in PORTAL.truth()]

    def fetch(site, part):
        connection = connect(site)
        statuses = [ask(connection, path)[0].status for path in part]
        connection.close()
        return statuses

    with serve(PORTAL) as site, ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(lambda part: fetch(site, paths[part::4]), range(4)))
    assert [set(part) for part in statuses] == [{200}] * 4


def test_reset_connection_logs_nothing(capfd):
    with serve(PORTAL) as site:
        address = ("127.0.0.1", urlsplit(site.url).port)
        for _ in range(5):
            with socket.create_connection(address) as visitor:
                # Reset the connection, like a killed process.
                visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                visitor.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 200)
                assert visitor.recv(1)
        for thread in threading.enumerate():
            if "process_request_thread" in thread.name:
                thread.join(HANG_SECONDS)
    assert capfd.readouterr().err == ""
