"""From the link to the grant: the Brand's login, the assertion, consent, and its end (§5.3)."""

from dataclasses import replace

import httpx
import pytest

from pact_conformance.counterpart.provider.configuration import DEFAULT_SCOPES
from tests.counterpart.delegating import (
    CANCEL,
    CHANGE,
    READ,
    Browser,
    PersonalAgent,
    claims,
    error,
    issuer,
    link,
)
from tests.counterpart.world import FIRST, SECOND, World, alone


@alone
async def test_the_link_asks_who_it_is_before_anything_else(world: World) -> None:
    page = await Browser(world).open((await link(world, READ))[0])

    assert page.answer.url.host == "localhost"
    assert {"username", "password"} <= page.fields.keys()
    assert page.boxes == []


@alone
async def test_a_wrong_password_gets_the_form_again(world: World) -> None:
    browser = Browser(world)
    page = await browser.open((await link(world, READ))[0])
    for username, password in (("jane", "omar-secret"), ("nobody", ""), ("", "jane-secret")):
        refused = await browser.send(page, username=username, password=password)

        assert refused.answer.status_code == 403
        assert "password" in refused.fields
        assert "set-cookie" not in refused.answer.headers


@alone
async def test_the_way_back_is_a_post_and_no_url_has_a_secret(world: World) -> None:
    browser, seen = Browser(world), []

    async def note(request: httpx.Request) -> None:
        seen.append((request.method, str(request.url)))

    browser.client.event_hooks["request"] = [note]
    url, _ = await link(world, READ)
    handed = await browser.log_in(url)
    await browser.send(handed)

    assert handed.fields.keys() == {"user_code", "assertion"}
    assert ("POST", f"{issuer()}/return") in seen
    assert not any(handed.fields["assertion"] in it for _, it in seen)
    below = [it for _, it in seen if it.startswith(issuer())]
    assert not any(handed.fields["user_code"] in it for it in below)


@alone
async def test_consent_shows_who_asks_for_what_where(world: World) -> None:
    page = await Browser(world).reach_consent((await link(world, READ, CHANGE))[0])

    assert world.agent.issuer in page.text
    assert "Fernweh Outfitters" in page.text
    assert page.boxes == [("scope", READ, True), ("scope", CHANGE, True)]
    assert DEFAULT_SCOPES[READ] in page.text
    assert DEFAULT_SCOPES[CHANGE] in page.text
    assert DEFAULT_SCOPES[CANCEL] not in page.text


@alone
async def test_what_is_hostile_is_escaped(world: World) -> None:
    brand = world.provider.brands[FIRST]
    hostile = {READ: "<script>alert('&')</script>"}
    world.provider.brands[FIRST] = replace(brand, scopes=hostile)
    page = await Browser(world).reach_consent((await link(world, READ))[0])

    assert "<script>alert" not in page.answer.text
    assert "<script>alert('&')</script>" in page.text


@alone
async def test_every_page_is_safe(world: World) -> None:
    browser = Browser(world)
    url, _ = await link(world, READ)
    pages = [await browser.open(url), await browser.log_in(url)]
    pages += [await browser.send(pages[-1])]
    pages += [
        await browser.send(pages[-1], decision="deny"),
        await browser.open(issuer() + "/grants"),
    ]
    for page in pages:
        headers = page.answer.headers
        policy = headers["content-security-policy"]

        assert headers["content-type"].startswith("text/html")
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'none'" in policy
        assert "form-action" in policy
    assert "form-action http://127.0.0.1:1;" in pages[1].answer.headers["content-security-policy"]


@alone
async def test_cookies_are_out_of_reach(world: World) -> None:
    browser = Browser(world)
    page = await browser.reach_consent((await link(world, READ))[0])
    set_cookies = [it.headers["set-cookie"] for it in page.answer.history]
    set_cookies += [
        it.headers["set-cookie"] for it in (await _signing_in(world)) if "set-cookie" in it.headers
    ]

    assert len(set_cookies) == 2
    for cookie in set_cookies:
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
    assert f"Path=/a2a/{FIRST}/oauth" in set_cookies[0]


async def _signing_in(world: World) -> list[httpx.Response]:
    return (await Browser(world).log_in((await link(world, READ))[0])).answer.history


@alone
async def test_what_is_unticked_is_not_granted(world: World) -> None:
    agent = PersonalAgent(world)
    url, device_code = await link(world, READ, CANCEL)
    page = await Browser(world).decide(url, [CANCEL])
    got = (await agent.poll(device_code)).json()

    assert DEFAULT_SCOPES[CANCEL] in page.text
    assert DEFAULT_SCOPES[READ] not in page.text
    assert got["scope"] == claims(got["access_token"])["scope"] == CANCEL


@pytest.mark.parametrize("ticked", [[], ["refunds:issue"], [CHANGE]])
def test_to_approve_nothing_that_was_asked_for_is_to_refuse(ticked: list[str]) -> None:
    @alone
    async def refused(world: World) -> None:
        url, device_code = await link(world, READ)
        await Browser(world).decide(url, ticked)

        assert error(await PersonalAgent(world).poll(device_code)) == "access_denied"

    refused()


@alone
async def test_only_what_was_asked_for_is_granted(world: World) -> None:
    url, device_code = await link(world, READ)
    await Browser(world).decide(url, [READ, CHANGE])

    assert (await PersonalAgent(world).poll(device_code)).json()["scope"] == READ


@alone
async def test_to_refuse_ends_the_flow(world: World) -> None:
    browser = Browser(world)
    url, device_code = await link(world, READ)
    page = await browser.send(await browser.reach_consent(url), scope=[READ], decision="deny")

    assert "Refused" in page.text
    assert error(await PersonalAgent(world).poll(device_code)) == "access_denied"


@alone
async def test_a_decision_is_not_taken_twice(world: World) -> None:
    browser = Browser(world)
    url, device_code = await link(world, READ)
    consent = await browser.reach_consent(url)
    await browser.send(consent, decision="deny")
    await browser.send(consent, scope=[READ], decision="approve")

    assert error(await PersonalAgent(world).poll(device_code)) == "access_denied"


@alone
async def test_a_form_without_login_or_from_elsewhere_decides_nothing(world: World) -> None:
    browser, stranger = Browser(world), Browser(world, "omar")
    url, device_code = await link(world, READ)
    consent = await browser.reach_consent(url)
    fields = {**consent.fields, "scope": READ, "decision": "approve"}
    without = await stranger.post(f"{issuer()}/consent", fields)
    await stranger.reach_consent((await link(world, READ))[0])
    foreign = await stranger.post(f"{issuer()}/consent", fields)
    forged = await browser.post(f"{issuer()}/consent", {**fields, "csrf": "x"})

    assert [it.answer.status_code for it in (without, foreign, forged)] == [403, 403, 403]
    assert error(await PersonalAgent(world).poll(device_code)) == "authorization_pending"


@alone
async def test_an_assertion_works_once(world: World) -> None:
    browser, other = Browser(world), Browser(world)
    handed = await browser.log_in((await link(world, READ))[0])
    first, again = await browser.send(handed), await other.send(handed)

    assert first.name == "consent"
    assert (again.answer.status_code, again.boxes) == (403, [])
    assert "set-cookie" not in again.answer.headers


@alone
async def test_an_assertion_is_bound_to_its_code(world: World) -> None:
    browser = Browser(world)
    handed = await browser.log_in((await link(world, READ))[0])
    second = (await PersonalAgent(world).begin(READ)).json()
    page = await browser.send(handed, user_code=second["user_code"])

    assert (page.answer.status_code, page.boxes) == (403, [])
    assert error(await PersonalAgent(world).poll(second["device_code"])) == "authorization_pending"


@alone
async def test_an_assertion_is_short_lived_and_of_this_brand(world: World) -> None:
    late, elsewhere = Browser(world), Browser(world)
    handed = await late.log_in((await link(world, READ))[0])
    PersonalAgent(world).pass_time(60)
    of_second = PersonalAgent(world, brand=SECOND)
    other = await elsewhere.log_in((await link(world, READ, agent=of_second))[0])

    assert (await late.send(handed)).answer.status_code == 403
    page = await elsewhere.post(f"{issuer()}/return", other.fields)
    assert (page.answer.status_code, page.boxes) == (403, [])


@pytest.mark.parametrize("text", ["", "a.b", "e30.e30.", "eyJhbGciOiJub25lIn0.e30."])
def test_what_the_brand_has_not_signed_is_refused(text: str) -> None:
    @alone
    async def refused(world: World) -> None:
        begun = (await PersonalAgent(world).begin(READ)).json()
        fields = {"user_code": begun["user_code"], "assertion": text}
        page = await Browser(world).post(f"{issuer()}/return", fields)

        assert page.answer.status_code == 403

    refused()


@pytest.mark.parametrize(
    "return_to",
    [
        "",
        "https://evil.example/return?user_code=X",
        f"{issuer()}/return?user_code=X&user_code=Y",
        f"{issuer()}/consent?user_code=X",
        f"{issuer(SECOND)}/return?user_code=X",
        "http://[",
    ],
)
def test_the_login_leads_nowhere_else(return_to: str) -> None:
    @alone
    async def refused(world: World) -> None:
        page = await Browser(world).open(
            f"http://localhost:7/login?{httpx.QueryParams(return_to=return_to)}"
        )

        assert page.answer.status_code == 400
        assert page.action is None

    refused()


@alone
async def test_the_code_can_be_typed(world: World) -> None:
    begun = (await PersonalAgent(world).begin(READ)).json()
    browser = Browser(world)
    login = await browser.open(begun["verification_uri"])
    typed = begun["user_code"].lower().replace("-", " ")
    handed = await browser.send(login, username="jane", password="jane-secret", user_code=typed)

    assert (await browser.send(handed)).name == "consent"


@alone
async def test_a_session_spares_the_login_until_it_ends(world: World) -> None:
    agent, browser = PersonalAgent(world), Browser(world)
    await browser.reach_consent((await link(world, READ))[0])

    assert "assertion" in (await browser.open((await link(world, CANCEL))[0])).fields
    agent.pass_time(3600)
    assert "password" in (await browser.open((await link(world, CANCEL))[0])).fields


@alone
async def test_whoever_is_signed_in_as_somebody_else_can_sign_in_again(world: World) -> None:
    browser = Browser(world)
    url, _ = await link(world, READ)
    await browser.reach_consent(url)
    login = await browser.open(f"{url}&again=1")
    browser.username = "omar"
    handed = await browser.send(login, username="omar", password="omar-secret")

    assert "omar" in (await browser.send(handed)).text


@alone
async def test_a_link_that_is_used_or_expired_says_so(world: World) -> None:
    browser = Browser(world)
    url, _ = await link(world, READ)
    await browser.decide(url)
    again = await browser.reach_consent(url)
    used = await Browser(world, "omar").reach_consent(url)
    late, _ = await link(world, CANCEL)
    consent = await browser.reach_consent(late)
    PersonalAgent(world).pass_time(600)
    decided = await browser.send(consent, scope=[CANCEL], decision="approve")
    opened = await browser.reach_consent(late)

    assert again.name == "done"
    assert "has been used" in used.text
    assert "has expired" in decided.text
    assert "has expired" in opened.text


@pytest.mark.parametrize("path", ["/consent", "/done", "/grants"])
def test_without_a_session_there_is_nothing_to_see(path: str) -> None:
    @alone
    async def refused(world: World) -> None:
        page = await Browser(world).open(f"{issuer()}{path}")

        assert (page.answer.status_code, page.boxes) == (403, [])

    refused()


@pytest.mark.parametrize(
    ("headers", "taken"),
    [
        ({}, True),
        ({"Origin": "null"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Origin": "https://elsewhere.example"}, False),
    ],
)
def test_a_login_form_of_another_site_signs_nobody_in(
    headers: dict[str, str], *, taken: bool
) -> None:
    @alone
    async def sent(world: World) -> None:
        browser = Browser(world)
        page = await browser.open((await link(world, READ))[0])
        browser.client.headers.update(headers)
        came = await browser.send(page, username="jane", password="jane-secret")

        assert ("assertion" in came.fields) is taken
        assert (came.answer.status_code == 403) is not taken

    sent()
