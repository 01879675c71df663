"""Each part of the settings, tried one by one."""

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pact_conformance.doctor.needs import algs
from pact_conformance.journal.client import NoAnswer
from pact_conformance.rig import Rig
from pact_conformance.settings import Settings
from pact_conformance.subject.approver.readiness import lacking
from pact_conformance.subject.plan import Registration
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import keys_from_json
from pact_conformance.verdicts import Unsettled
from pact_conformance.wire.card import Card

BUILT_IN = frozenset({"PA_JWKS_LISTEN", "PA_JWKS_URL"})
"""The needs that the built-in mock Provider brings along."""

State = Literal["ready", "missing", "blocked"]


@dataclass(frozen=True)
class Part:
    """One part of what a run rests on.

    `blocked` is set and does not work; `missing` is not set, and some requirements need it.
    """

    name: str
    state: State
    said: str
    do: str = ""


def all_of(rig: Rig, *, embedded: bool) -> Iterator[Part]:
    """Try each part, in the order in which one rests on another."""
    yield from _card(rig)
    yield from _keys(rig)
    finding = rig.preflight.finding
    if finding is None or finding.blocks != "card":
        yield from _authentication(rig)
        yield _clock(rig)
    yield _other_brand(rig)
    if finding is None:
        yield _other_agent(rig)
        yield _disabled_agent(rig)
        yield _spare_agent(rig)
    if not embedded:
        yield from _jwks(rig)
    yield from _hooks(rig)
    yield from _delegated(rig)


def _card(rig: Rig) -> Iterator[Part]:
    seen, finding = rig.preflight, rig.preflight.finding
    if finding is not None and finding.blocks == "card":
        yield Part("card", "blocked", f"{finding.id}: {finding.got}", finding.do)
        return
    card = Card(seen.card, seen.card_url)
    offers = "Identity" if card.delegation is None else "Identity and Delegated"
    yield Part("card", "ready", f"{seen.card_url} offers PACT {offers}")
    if card.interface is not None:
        yield Part("interface", "ready", card.interface.url)


def _keys(rig: Rig) -> Iterator[Part]:
    registration = rig.plan.primary
    if registration is None:
        yield Part("keys", "missing", "no personal agent to play", "set PA_ISSUER, PA_PRIVATE_JWK")
        return
    keys = keys_from_json(registration.keys)
    said = ", ".join(f"{key.alg} kid={key.kid}" for key in keys)
    if {"ES256", "RS256"} & set(algs(rig.plan)):
        yield Part("keys", "ready", f"{registration.issuer} signs with {said}")
    else:
        yield Part("keys", "blocked", said, "give PA_PRIVATE_JWK an ES256 or RS256 key (§3.2)")


def _authentication(rig: Rig) -> Iterator[Part]:
    finding, name = rig.preflight.finding, rig.preflight.probe
    if finding is not None:
        yield Part("authentication", "blocked", f"{finding.id}: {finding.got}", finding.do)
        return
    yield Part("authentication", "ready", f"the probe {name} tells a good token from none")


def _clock(rig: Rig) -> Part:
    seen = rig.preflight
    if not seen.clock_known:
        return Part(
            "clock",
            "missing",
            "no answer has a Date header, so forgeries keep a minute away from every limit",
            "send Date (RFC 9110 §6.6.1)",
        )
    off = f"{seen.clock_offset:+.1f} s from here, give or take {seen.clock_uncertainty:.1f} s"
    return Part("clock", "ready", off)


def _other_brand(rig: Rig) -> Part:
    seen = rig.preflight
    if seen.other_card_url is None:
        return Part("second Brand", "missing", "none is given", "set E2E_OTHER_BRAND")
    if seen.other_card is None:
        said = f"{seen.other_card_url}: {seen.other_problem}"
        return Part("second Brand", "blocked", said, "correct E2E_OTHER_BRAND")
    return Part("second Brand", "ready", seen.other_card_url)


def _status(rig: Rig, caller: Caller) -> int | str:
    """Return how the Provider answers a probe with a token of this agent."""
    try:
        return rig.gate.knock(caller.token(caller.user("doctor"))).status
    except Unsettled as error:
        return error.reason


def _other_agent(rig: Rig) -> Part:
    return _registered(rig, rig.plan.other, "second agent", "PA_OTHER")


def _spare_agent(rig: Rig) -> Part:
    """See that the agent whose keys checks may change is one that the Provider knows."""
    spare = rig.plan.spares.get("unreachable")
    registration = None if spare is None else spare.registration
    return _registered(rig, registration, "spare agent", "PA_SPARE")


def _registered(rig: Rig, registration: Registration | None, name: str, variable: str) -> Part:
    if registration is None:
        do = f"set {variable}_ISSUER and {variable}_PRIVATE_JWK"
        return Part(name, "missing", "none is given", do)
    status = _status(rig, rig.caller_of(registration))
    if isinstance(status, str) or status in {401, 429} or status >= 500:
        do = f"compare {variable}_ISSUER, {variable}_AUDIENCE and its key with the registration"
        return Part(name, "blocked", f"{registration.issuer} gets {status}", do)
    return Part(name, "ready", f"{registration.issuer} authenticates")


def _disabled_agent(rig: Rig) -> Part:
    name = "disabled agent"
    if rig.plan.disabled is None:
        if "disabling" in rig.settings.absent:
            return Part(name, "ready", f"declared absent: {rig.settings.absent['disabling']}")
        do = "set PA_DISABLED_ISSUER and PA_DISABLED_PRIVATE_JWK, or declare absent.disabling"
        return Part(name, "missing", "none is given", do)
    status = _status(rig, rig.disabled_caller)
    if status == 401:
        return Part(name, "ready", f"{rig.plan.disabled.issuer} is refused")
    do = (
        "disable it at the Provider; if it is, the Provider takes tokens of a disabled agent (§3.1)"
    )
    return Part(name, "blocked", f"{rig.plan.disabled.issuer} gets {status} and not 401", do)


def _jwks(rig: Rig) -> Iterator[Part]:
    settings, name = rig.settings, "own JWKS"
    if settings.jwks_listen is None:
        do = "set PA_JWKS_LISTEN, and PA_JWKS_URL where the Provider reaches it by another address"
        yield Part(name, "missing", "the suite does not serve its keys itself", do)
    elif settings.jwks_url is None:
        yield Part(name, "ready", f"served at {settings.jwks_listen}")
    else:
        yield _reachable(rig, settings.jwks_url, name)


def _reachable(rig: Rig, url: str, name: str) -> Part:
    """Fetch the caller's keys as the Provider would, though from here."""
    whole = url if url.endswith(".json") else f"{url.rstrip('/')}/primary/jwks.json"
    try:
        answer = rig.client.exchange("GET", whole, operation="jwks", headers=(), purpose="doctor")
    except NoAnswer as error:
        return Part(name, "blocked", f"{whole}: {error}", "correct PA_JWKS_URL, or the tunnel")
    keys = answer.json.get("keys") if isinstance(answer.json, dict) else None
    if answer.status != 200 or not keys:
        said = f"{whole} answers {answer.status} and no key set"
        return Part(name, "blocked", said, "let PA_JWKS_URL lead to PA_JWKS_LISTEN")
    return Part(name, "ready", f"{whole} serves {len(keys)} keys, as seen from here")


def _hooks(rig: Rig) -> Iterator[Part]:
    """Look at each hook without calling it: it would change something."""
    given = {name: how for name, how in rig.settings.hooks.model_dump().items() if how}
    if not given:
        do = (
            "see docs/settings.md for what each shows, or declare under [absent] what never happens"
        )
        yield Part("hooks", "missing", "none is given", do)
    for name, how in given.items():
        command = shlex.split(how.removeprefix("cmd:"))[:1] if how.startswith("cmd:") else []
        if how.startswith("cmd:") and not (command and shutil.which(command[0])):
            said = f"there is no command {command[0] if command else how!r}"
            yield Part(f"hook {name}", "blocked", said, f"correct hooks.{name}")
        else:
            yield Part(f"hook {name}", "ready", "given; not called, for it changes the subject")


def _delegated(rig: Rig) -> Iterator[Part]:
    if rig.preflight.card is None or rig.settings.profile == "identity":
        return
    if Card(rig.preflight.card, rig.preflight.card_url).delegation is None:
        return
    yield _approver(rig.settings)
    accounts = len(rig.settings.accounts)
    if accounts < 2:
        do = "add two [[accounts]] for testing, each with `user`, the Brand's own id of it"
        yield Part("accounts", "missing", f"{accounts} of 2", do)
    else:
        yield Part("accounts", "ready", "two are given")


def _approver(settings: Settings) -> Part:
    """See that somebody can play the User; nobody is called."""
    name = "approver"
    if settings.approver is None:
        return Part(name, "missing", "nobody plays the User", "set E2E_APPROVER")
    lack = lacking(settings)
    if lack is not None:
        said, _, do = lack.partition(": ")
        return Part(name, "blocked", f"{said} is not ready", do)
    if settings.approver == "manual":
        do = "stay at the terminal during the run, and leave -n out"
        return Part(name, "ready", "manual: a person plays the User", do)
    return Part(name, "ready", settings.approver.partition(":")[0])
