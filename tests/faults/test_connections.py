"""Connections of a crawl: certificates, robots.txt, pauses, proxies."""

import datetime
import ssl
import sys

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.faults.conftest import run
from tests.faults.serving import in_turn, page, respond

SECRET = "s3cr3t-passw0rd"  # noqa: S105 - nothing is behind it


def sentence(done):
    """Return the error message; it must be one line."""
    (line,) = done.stderr.strip().splitlines()
    return line


def certificate(folder, host):
    """Make a self-signed certificate; return its file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    private = key.private_bytes(pem, pkcs8, serialization.NoEncryption())
    file = folder / f"{host}.pem"
    file.write_bytes(made.public_bytes(pem) + private)
    return file


def test_certificates_are_verified(new_server, travel, tmp_path):
    hosts = ("news.example.com", "unsigned.example.com", "mistaken.example.com")
    named = ("news.example.com", "unsigned.example.com", "another.example.com")
    files = [certificate(tmp_path, name) for name in named]
    servers = []
    for file in files:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        servers.append(new_server(context))
        servers[-1].routes["/"] = page(*(f"https://{host}/" for host in hosts))
    trusted = tmp_path / "trusted.pem"
    trusted.write_text(files[0].read_text() + files[2].read_text())
    after = travel(
        "https://news.example.com/",
        {host: [f"93.184.216.3{n}"] for n, host in enumerate(hosts)},
        {f"93.184.216.3{n}:443": server for n, server in enumerate(servers)},
        environment={"SSL_CERT_FILE": str(trusted)},
        subdomains=1,
    )
    assert set(after.crawl.rows()) == {"https://news.example.com/"}
    reason = "robots.txt is unavailable: the certificate is not valid"
    assert after.failures() == {f"https://{host}/": reason for host in hosts[1:]}
    assert [len(server.asked) for server in servers[1:]] == [0, 0]


def test_certificates_are_verified_for_known_pages_too(new_server, travel, tmp_path):
    good, bad = (ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) for _ in range(2))
    file = certificate(tmp_path, "news.example.com")
    good.load_cert_chain(file)
    bad.load_cert_chain(certificate(tmp_path, "another.example.com"))
    server = new_server(good)
    server.routes = {"/": page("/1"), "/1": respond("<p>One.", ETag='"1"')}
    world = (
        "https://news.example.com/",
        {"news.example.com": ["93.184.216.34"]},
        {"93.184.216.34:443": server},
    )
    trust = {"SSL_CERT_FILE": str(file)}
    crawl = travel(*world, environment=trust).crawl
    home = server.routes["/"]

    def turn_bad(exchange):
        good.sni_callback = lambda connection, *_: setattr(connection, "context", bad)
        home(exchange)

    server.routes["/"] = turn_bad
    server.asked.clear()
    after = travel(*world, crawl=crawl, environment=trust)
    assert after.failures() == {"https://news.example.com/1": "the certificate is not valid"}
    assert "/1" not in server.paths()


def test_unavailable_robots_txt_stops_the_crawl_until_later(new_server, visit, new_crawl):
    server, crawl = new_server(), new_crawl()
    server.routes["/"] = page("/1")
    server.routes["/1"] = page(text="One.")
    server.routes["/robots.txt"] = in_turn(*[respond(status=500)] * 2, respond(kind="text/plain"))
    after = visit(server, crawl=crawl)
    assert after.done.returncode == 1
    assert "robots.txt is unavailable: HTTP status 500" in sentence(after.done)
    assert set(server.paths()) == {"/robots.txt"}
    assert visit(server, crawl=crawl).done.returncode == 0
    assert crawl.paths(server.url) == {"/", "/1"}


def test_retry_after_of_an_hour_ends_the_crawl(new_server, visit):
    server = new_server()
    server.routes["/"] = page(*(f"/{n}" for n in range(30)))
    server.routes |= {f"/{n}": respond(status=503, Retry_After=3600) for n in range(30)}
    after = visit(server, "-s", "CONCURRENT_REQUESTS=1")
    assert after.done.returncode == 3
    assert "because the server is busy and needs a longer pause" in after.done.stderr
    assert len(server.asked) == 4  # robots.txt, home page, sitemap, the busy one
    assert after.crawl.runs()[0].status == "done"


def test_retry_after_holds_back_queued_requests(new_server, visit):
    server = new_server()
    server.routes["/"] = page(*(f"/{n}" for n in range(6)))
    server.routes |= {f"/{n}": page(text="Now.") for n in range(6)}
    server.routes["/0"] = in_turn(respond(status=503, Retry_After=1), page(text="Now."))
    one_by_one = ("-s", "CONCURRENT_REQUESTS_PER_DOMAIN=1", "-s", "DOWNLOAD_DELAY=0.01")
    after = visit(server, *one_by_one)
    paths, times = server.paths(), [asked.at for asked in server.asked]
    busy = paths.index("/0")
    assert len(paths) > busy + 5
    assert times[busy + 1] - times[busy] >= 1
    assert after.crawl.paths(server.url) == {"/", *(f"/{n}" for n in range(6))}


def test_proxy_password_is_used_and_never_shown(new_server, visit):
    proxy = new_server()
    proxy.routes["http://news.example.com/"] = page("/1")
    proxy.routes["http://news.example.com/1"] = respond(status=502)
    proxy.url, address = "http://news.example.com", proxy.url
    with_password = address.replace("://", f"://reader:{SECRET}@")
    after = visit(proxy, "-L", "DEBUG", environment={"http_proxy": with_password})
    assert after.done.returncode == 0, after.done.stderr
    assert all("proxy-authorization" in asked.headers for asked in proxy.asked)
    assert SECRET not in after.done.stdout + after.done.stderr
    assert SECRET.encode() not in after.crawl.path.read_bytes()


@pytest.mark.parametrize("command", [["crawl", "site", "-a", "url=http://127.0.0.1:1/"], ["sites"]])
def test_bad_value_in_the_environment_is_reported(new_crawl, command):
    done = run(new_crawl(), sys.executable, "-m", "scrapy", *command, FLONG_BATCH="many")
    assert done.returncode == 2
    assert "FLONG_BATCH is 'many'" in sentence(done)
