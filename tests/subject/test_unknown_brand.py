import re
import uuid

import pytest

from pact_conformance.subject.discovery import unknown_brand

CARD = "/.well-known/agent-card.json"
BASE = "https://p.example"


def made_up(brand: str, before: str = "/a2a/", after: str = CARD) -> str:
    """The brandId that takes the place of one."""
    url = unknown_brand(f"{BASE}{before}{brand}{after}")

    assert url is not None
    assert url.startswith(BASE + before)
    assert url.endswith(after)
    return url[len(BASE + before) : len(url) - len(after)]


def test_a_ulid_becomes_another_ulid() -> None:
    brand = "01JD4M7Q2ZC8T5V9X3B6N1K0WA"

    other = made_up(brand)

    assert other != brand
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{26}", other)
    assert other[0] <= "7", "a ULID of more than 128 bits is no ULID"


def test_a_uuid_becomes_another_uuid() -> None:
    brand = str(uuid.uuid4())

    other = made_up(brand)

    assert other != brand
    assert str(uuid.UUID(other)) == other


def test_a_number_becomes_a_longer_number() -> None:
    assert re.fullmatch(r"9\d{5}", made_up("42"))


@pytest.mark.parametrize("brand", ["kestrel", "Kestrel-Air", "k%C3%A9strel", "a.b_c~d", "x" * 300])
def test_a_name_becomes_a_name_that_nobody_has(brand: str) -> None:
    assert re.fullmatch(r"nobody-[0-9a-f]{12}", made_up(brand))


def test_what_stands_around_the_brand_stays() -> None:
    assert made_up("42", before="/api/v2/a2a/", after="").startswith("9")
    assert made_up("42", after="/message:send?x=1")


def test_only_the_path_is_changed() -> None:
    url = unknown_brand("https://a2a.example/a2a/acme?next=/a2a/acme")

    assert url is not None
    assert url.startswith("https://a2a.example/a2a/nobody-")
    assert url.endswith("?next=/a2a/acme")


def test_a_path_that_is_repeated_in_the_host_is_changed_in_the_path() -> None:
    url = unknown_brand("https://x/a2a/acme")

    assert url is not None
    assert re.fullmatch(r"https://x/a2a/nobody-[0-9a-f]{12}", url)


@pytest.mark.parametrize(
    "url", [f"{BASE}{CARD}", f"{BASE}/a2a", f"{BASE}/a2a/", f"{BASE}/brands/42", BASE, ""]
)
def test_without_a_brand_in_the_url_none_can_be_made_up(url: str) -> None:
    assert unknown_brand(url) is None


def test_no_two_are_the_same() -> None:
    url = f"{BASE}/a2a/01JD4M7Q2ZC8T5V9X3B6N1K0WA"

    assert len({unknown_brand(url) for _ in range(50)}) == 50
