import asyncio
import contextlib
import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from pact_conformance.counterpart.provider.fetching import UNFETCHED, Fetcher
from pact_conformance.counterpart.provider.keys import KeySource, read_key, read_set
from tests.counterpart.agent import Agent

URI = "https://agent.example/jwks.json"


class Publisher:
    """An agent's JWKS behind a clock that the test moves."""

    def __init__(self, agent: Agent) -> None:
        self.keys = agent.jwks()["keys"]
        self.now = 0.0
        self.fetches = 0
        self.reachable = True
        self.source = KeySource(
            max_age=100, refetch_interval=10, fetch=self.fetch, clock=lambda: self.now, most=2
        )

    async def fetch(self, _uri: str) -> bytes:
        self.fetches += 1
        if not self.reachable:
            raise httpx.ConnectError("unreachable")
        return json.dumps({"keys": self.keys}).encode()

    def kids(self, kid: str | None, uri: str = URI) -> list[str | None]:
        return [key.kid for key in asyncio.run(self.source.find(uri, kid))]


@pytest.fixture
def publisher(agent: Agent) -> Publisher:
    return Publisher(agent)


def test_a_set_is_fetched_once_and_read_by_kid(publisher: Publisher) -> None:
    assert publisher.kids("e1") == ["e1"]
    assert publisher.kids(None) == ["e1", "r1"]
    assert publisher.fetches == 1


def test_an_unknown_kid_causes_a_fetch_but_not_soon_again(publisher: Publisher) -> None:
    publisher.kids("e1")
    publisher.keys[0]["kid"] = "e2"

    assert publisher.kids("e2") == []

    publisher.now = 10

    assert publisher.kids("e2") == ["e2"]
    assert publisher.kids("e1") == []
    assert publisher.fetches == 2


def test_fetches_for_unknown_kids_become_rarer_while_they_are_in_vain(
    publisher: Publisher,
) -> None:
    publisher.kids("e1")
    fetched = []
    for publisher.now in range(5, 96, 5):
        before = publisher.fetches
        publisher.kids("unknown")
        fetched += [publisher.now] if publisher.fetches > before else []

    assert fetched == [10, 30, 70]

    publisher.keys[0]["kid"] = "e2"
    publisher.now = 150

    assert publisher.kids("e2") == ["e2"]

    publisher.keys[0]["kid"] = "e3"
    publisher.now = 160

    assert publisher.kids("e3") == ["e3"]


def test_each_set_keeps_an_interval_of_its_own(publisher: Publisher) -> None:
    publisher.kids("unknown")

    assert publisher.kids("e1", "https://other.example/jwks") == ["e1"]
    assert publisher.fetches == 2


def test_an_old_set_is_fetched_again(publisher: Publisher) -> None:
    publisher.kids("e1")
    publisher.keys.pop(0)
    publisher.now = 101

    assert publisher.kids("e1") == []
    assert publisher.kids("r1") == ["r1"]


def test_known_keys_outlive_a_failed_fetch_until_they_are_old(publisher: Publisher) -> None:
    publisher.kids("e1")
    publisher.now, publisher.reachable = 99, False

    assert publisher.kids("unknown") == []
    assert publisher.kids("e1") == ["e1"]

    publisher.now = 101

    assert publisher.kids("e1") == []
    assert publisher.fetches == 2

    publisher.now, publisher.reachable = 110, True

    assert publisher.kids("e1") == ["e1"]


def test_a_clock_that_is_set_back_keeps_nothing_for_ever(publisher: Publisher) -> None:
    publisher.now = 1e6
    publisher.kids("e1")
    publisher.keys[0]["kid"], publisher.now = "e2", 0.0

    assert publisher.kids("e2") == ["e2"]


def test_only_so_many_sets_are_kept(publisher: Publisher) -> None:
    for host in "abca":
        publisher.kids("e1", f"https://{host}.example/jwks")

    assert publisher.fetches == 4


def test_requests_that_need_the_same_set_share_one_fetch(publisher: Publisher) -> None:
    async def both() -> None:
        await asyncio.gather(*(publisher.source.find(URI, "e1") for _ in range(5)))

    asyncio.run(both())

    assert publisher.fetches == 1


@pytest.mark.parametrize("data", ["[]", "{}", '{"keys": 1}', "nothing", "[" * 100_000])
def test_what_is_no_set_is_refused(data: str) -> None:
    with pytest.raises((ValueError, RecursionError)):
        read_set(data.encode())


BAD_KEYS: tuple[object, ...] = (
    None,
    "key",
    {},
    {"kty": None},
    {"kty": ["EC"]},
    {"kty": "oct", "k": "AAAA"},
    {"kty": "EC", "crv": "P-256", "x": "A"},
    {"kty": "EC", "crv": "P-256", "x": 1, "y": []},
    {"kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA"},
    {"kty": "EC", "crv": ["P-256"], "x": "AA", "y": "AA"},
    {"kty": "RSA", "n": "", "e": ""},
    {"kty": "RSA", "n": "AQAB", "e": "AQAB"},
    {"kty": "RSA", "n": {}, "e": 3},
    {"kty": "RSA", "n": "é", "e": "AQAB"},
    {"kty": "OKP", "crv": "Ed448", "x": "AA"},
    {"kty": "OKP", "crv": "X25519", "x": "AA"},
    {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"},
)


@pytest.mark.parametrize("jwk", BAD_KEYS, ids=str)
def test_what_is_no_public_key_is_passed_over(jwk: object, agent: Agent) -> None:
    good = agent.jwks()["keys"][0]
    keys = read_set(json.dumps({"keys": [jwk, good, jwk]}).encode())

    assert read_key(jwk) is None
    assert [key.kid for key in keys] == ["e1"]


def test_a_key_with_odd_members_beside_is_taken(agent: Agent) -> None:
    odd = {"kid": 7, "x5c": "no", "key_ops": None, "use": "sig", "n": 1, "oth": [{}]}

    key = read_key(agent.jwks()["keys"][0] | odd)

    assert key is not None
    assert key.kid is None
    assert key.may_verify("ES256")


def test_a_key_is_used_as_its_publisher_says(agent: Agent) -> None:
    jwk = agent.jwks()["keys"][0]
    for members, may in (
        ({}, True),
        ({"use": "enc"}, False),
        ({"alg": "ES384"}, False),
        ({"key_ops": ["sign"]}, False),
        ({"key_ops": ["verify"]}, True),
    ):
        key = read_key(jwk | members)

        assert key is not None
        assert key.may_verify("ES256") is may


class Pages(BaseHTTPRequestHandler):
    """A page for each way in which a fetch may go wrong."""

    def do_GET(self) -> None:
        if self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("Location", "/good")
            self.end_headers()
            return
        self.send_response(int(self.path[1:]) if self.path[1:].isdigit() else 200)
        if self.path == "/packed":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if self.path == "/packed":
            self.wfile.write(gzip.compress(b"x" * 10_000))
        elif self.path == "/long":
            self.wfile.write(b"x" * 2000)
        elif self.path == "/dripping":
            with contextlib.suppress(OSError):
                for _ in range(20):
                    self.wfile.write(b"x")
                    time.sleep(0.05)
        else:
            self.wfile.write(b"good")

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    with served() as url:
        yield url


def fetched(url: str) -> bytes:
    async def act() -> bytes:
        fetcher = Fetcher(longest=1000, seconds=0.3)
        try:
            return await fetcher.fetch(url)
        finally:
            await fetcher.aclose()

    return asyncio.run(act())


def test_a_document_is_fetched(pages: str) -> None:
    assert fetched(f"{pages}/good") == b"good"


@pytest.mark.parametrize("page", ["elsewhere", "404", "500", "204", "long", "dripping"])
def test_a_document_is_bounded_and_where_it_is_said_to_be(pages: str, page: str) -> None:
    started = time.monotonic()
    with pytest.raises(UNFETCHED):
        fetched(f"{pages}/{page}")

    assert time.monotonic() - started < 0.9


def test_what_is_packed_is_not_unpacked(pages: str) -> None:
    assert len(fetched(f"{pages}/packed")) < 100


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "nothing", "file:///etc/passwd", "http://["]
)
def test_what_cannot_be_reached_is_told(url: str) -> None:
    with pytest.raises(UNFETCHED):
        fetched(url)
