"""A device flow is told by its exchanges, whoever polls."""

import json
from collections.abc import Sequence
from typing import Any

from pact_conformance.journal.exchange import Exchange, Received, Sent
from pact_conformance.report.flows import MOST_EVENTS, Flow, event, flows
from tests.report import making

BASE = "https://provider.example/oauth"
CODE = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=x"


def asked(at: float, body: str, answer: object, status: int = 200, **more: Any) -> Exchange:  # noqa: ANN401
    base = more.pop("base", BASE)
    return making.exchange(
        f"main-{at:g}".replace(".", ""),
        at=at,
        operation="oauth",
        sent=Sent("POST", f"{base}/token", (), body),
        answer=Received(status, (), json.dumps(answer)),
        **more,
    )


def begun(at: float, **more: Any) -> Exchange:  # noqa: ANN401 - any of its members
    return asked(at, "client_id=x&scope=a", {"device_code": "x"}, **more)


def poll(at: float, error: str = "", **more: Any) -> Exchange:  # noqa: ANN401 - likewise
    return asked(at, CODE, {"error": error} if error else {}, 400 if error else 200, **more)


def page(at: float, purpose: str) -> Exchange:
    return making.exchange(f"main-{at:g}", at=at, operation="other", purpose=purpose)


def told(*exchanges: Exchange) -> Sequence[Flow]:
    return flows(found for it in exchanges if (found := event(it)) is not None)


def test_a_flow_is_told_from_its_begin_to_its_token() -> None:
    (flow,) = told(
        begun(10.0),
        poll(12.0, "authorization_pending"),
        page(13.0, "the link that the User is shown"),
        page(14.0, "login at the Brand"),
        page(14.5, "login at the Brand"),
        page(14.7, "page between login and consent"),
        page(15.0, "decision on the consent page"),
        poll(17.0, "slow_down"),
        poll(20.0),
    )

    assert [(flow.after(it), it.kind, it.what, it.answer) for it in flow.events] == [
        (0.0, "begun", "begun", "200"),
        (2.0, "undecided", "poll", "400 authorization_pending"),
        (3.0, "user", "the link that the User is shown", "200"),
        (4.0, "user", "login at the Brand", "200"),
        (5.0, "user", "decision on the consent page", "200"),
        (7.0, "undecided", "poll", "400 slow_down"),
        (10.0, "token", "poll", "200"),
    ]
    assert [flow.place(it) for it in flow.events][-3:] == [500.0, 700.0, 1000.0]


def test_an_error_that_ends_the_flow_is_told_apart() -> None:
    (flow,) = told(begun(0), poll(5, "slow_down"), poll(10, "expired_token"))

    assert [it.kind for it in flow.events] == ["begun", "undecided", "refused"]


def test_flows_that_one_line_would_mix_up_are_left_out() -> None:
    assert told(begun(0), begun(1), poll(5), poll(6)) == ()


def test_flows_of_an_agent_are_told_apart_by_the_brand() -> None:
    mine = {"by": "agent", "base": "https://stage.example/a2a/1/oauth"}
    other = {"by": "agent", "base": "https://stage.example/a2a/2/oauth"}

    found = told(
        *(begun(0, **mine), begun(1, **other), poll(5, "slow_down", **mine)),
        *(poll(6, "slow_down", **other), poll(7, **mine), poll(8, **other)),
    )

    assert [[it.at for it in flow.events] for flow in found] == [[0, 5, 7], [1, 6, 8]]


def test_what_was_hardly_polled_or_without_end_is_no_line() -> None:
    assert told(begun(0), poll(5)) == ()
    assert told(poll(5), poll(6)) == ()
    assert told(begun(0), *(poll(it, "slow_down") for it in range(1, MOST_EVENTS + 1))) == ()


def test_a_flow_that_took_no_time_has_places_too() -> None:
    (flow,) = told(begun(0), poll(0, "slow_down"), poll(0))

    assert [flow.place(it) for it in flow.events] == [0.0, 0.0, 0.0]


def test_an_answer_that_is_no_oauth_error_is_told_by_its_status() -> None:
    hostile = making.exchange(
        "main-9",
        operation="oauth",
        sent=Sent("POST", BASE, (), CODE),
        answer=Received(500, (), "[" * 100_000),
    )

    found = event(hostile)

    assert found is not None
    assert (found.kind, found.answer) == ("refused", "500")
