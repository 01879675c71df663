"""Flaws of §5.6: the claims of a receipt, and whether they are what is signed."""

import itertools
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.under_delegation import change_receipt
from pact_conformance.counterpart.provider.delegation.receipts import Served
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import Document

Claim = Callable[[Provider, Served], object]


def _claim(provider: Provider, name: str, claim: Claim) -> None:
    provider.delegation.receipt_claims[name] = claim


def _drop(provider: Provider, name: str) -> None:
    del provider.delegation.receipt_claims[name]


# What is signed and what is shown


def _show(provider: Provider, change: Callable[[Document], object]) -> None:
    """Let `change` work on the claims that are shown, once they are signed."""
    change_receipt(provider, lambda receipt: change(receipt["claims"]) and None)


def _sign(provider: Provider, change: Callable[[Document], object]) -> None:
    """Let `change` return what is signed in the place of the claims."""
    original = provider.delegation.sign_receipt

    def sign_receipt(provider: Provider, brand_id: str, claims: Document, typ: str) -> str:
        changed: Any = change(dict(claims))
        return original(provider, brand_id, changed, typ)

    provider.delegation.sign_receipt = sign_receipt


@flaw("5.6-claims")
def takes_the_time_of_a_receipt_twice(provider: Provider) -> None:
    """The time that is signed is a microsecond off the time that is shown."""
    _sign(provider, lambda claims: claims | {"ts": f"{claims['ts'][:-1]}001Z"})


@flaw("5.6-claims")
def signs_the_claims_as_a_text(provider: Provider) -> None:
    """What is signed holds the claims as a text of JSON."""
    _sign(provider, lambda claims: {name: json.dumps(it) for name, it in claims.items()})


@flaw("5.6-claims", "5.6-claims-only")
def signs_the_claims_below_a_member(provider: Provider) -> None:
    """What is signed holds the claims in a member of its own."""
    _sign(provider, lambda claims: {"receipt": claims})


@flaw("5.6-claims", "5.6-claims-only")
def signs_claims_in_other_names(provider: Provider) -> None:
    """What is signed has the names of the token: grant_id, sub, client_id."""
    names = {"grantId": "grant_id", "user": "sub", "pa": "client_id"}
    _sign(provider, lambda claims: {names.get(name, name): it for name, it in claims.items()})


@flaw("5.6-claims")
def shows_more_than_it_signs(provider: Provider) -> None:
    """The claims that are shown have a summary, which is not signed."""
    _show(provider, lambda claims: claims.update(summary="All done"))


@flaw("5.6-claims")
def signs_no_actions(provider: Provider) -> None:
    """The actions are shown, and not signed."""
    _sign(provider, lambda claims: {name: it for name, it in claims.items() if name != "actions"})


@flaw("5.6-claims-only")
def adds_a_time_when_it_signs(provider: Provider) -> None:
    """The library that signs adds iat."""
    _sign(provider, lambda claims: claims | {"iat": 1_790_000_000})


@flaw("5.6-claims-only")
def adds_an_issuer_when_it_signs(provider: Provider) -> None:
    """The library that signs adds iss and jti."""
    _sign(provider, lambda claims: claims | {"iss": provider.base, "jti": "1"})


@flaw("5.6-claims-only")
def shows_less_than_it_signs(provider: Provider) -> None:
    """What a scope was used for is signed, and not shown."""
    _sign(provider, lambda claims: claims | {"reasons": ["asked"]})


# grantId, user, pa, brand


@flaw("5.6-grant-id")
def names_the_row_of_a_grant(provider: Provider) -> None:
    """The grantId of a receipt is a number of the Provider's own."""
    rows = itertools.count(1)
    _claim(provider, "grantId", lambda _provider, _served: str(next(rows)))


@flaw("5.6-grant-id")
def names_the_grant_without_its_prefix(provider: Provider) -> None:
    """The grantId of a receipt lacks the beginning of the token's grant_id."""
    _claim(provider, "grantId", lambda _provider, it: it.authority.grant_id.partition("_")[2])


@flaw("5.6-grant-id")
def names_no_grant(provider: Provider) -> None:
    """A receipt has no grantId."""
    _drop(provider, "grantId")


@flaw("5.6-grant-id")
def names_the_grant_like_the_token(provider: Provider) -> None:
    """A receipt has grant_id in the place of grantId."""
    _claim(provider, "grant_id", provider.delegation.receipt_claims.pop("grantId"))


@flaw("5.5-as-brand-user", "5.6-user")
def names_the_user_of_the_agent(provider: Provider) -> None:
    """The user of a receipt is the sub of the personal-agent JWT."""
    _claim(provider, "user", lambda _provider, served: served.turn.user.sub)


@flaw("5.5-as-brand-user", "5.6-user")
def names_the_user_in_an_object(provider: Provider) -> None:
    """The user of a receipt is an object with an id."""
    _claim(provider, "user", lambda _provider, served: {"id": served.authority.brand_user})


@flaw("5.5-as-brand-user", "5.6-user")
def names_no_user(provider: Provider) -> None:
    """A receipt has no user."""
    _drop(provider, "user")


@flaw("5.6-pa")
def names_the_agent_by_its_host(provider: Provider) -> None:
    """The pa of a receipt is the host of the personal agent."""
    _claim(provider, "pa", lambda _provider, it: it.authority.client_id.partition("://")[2])


@flaw("5.6-pa")
def names_the_agent_with_a_slash(provider: Provider) -> None:
    """The pa of a receipt is the issuer with a slash behind it."""
    _claim(provider, "pa", lambda _provider, served: f"{served.authority.client_id}/")


@flaw("5.6-pa")
def names_no_agent(provider: Provider) -> None:
    """A receipt has no pa."""
    _drop(provider, "pa")


@flaw("5.6-brand")
def names_the_brand_by_its_id(provider: Provider) -> None:
    """The brand of a receipt is the bare brandId."""
    _claim(provider, "brand", lambda _provider, served: served.brand_id)


@flaw("5.6-brand")
def names_the_brand_by_its_name(provider: Provider) -> None:
    """The brand of a receipt is its name."""
    _claim(provider, "brand", lambda provider, served: provider.brands[served.brand_id].name)


@flaw("5.6-brand")
def names_the_brand_by_its_card(provider: Provider) -> None:
    """The brand of a receipt is the URL of the card."""
    _claim(provider, "brand", lambda provider, served: provider.card_url(served.brand_id))


@flaw("5.6-brand")
def names_the_brand_by_its_issuer(provider: Provider) -> None:
    """The brand of a receipt is the issuer of its authorization server."""
    _claim(
        provider,
        "brand",
        lambda provider, served: provider.delegation.issuer(provider, served.brand_id),
    )


@flaw("5.6-brand")
def ends_the_brand_of_a_receipt_with_a_slash(provider: Provider) -> None:
    """The brand of a receipt is the interface URL with a slash behind it."""
    _claim(provider, "brand", lambda provider, it: f"{provider.interface(it.brand_id)}/")


# scopesUsed, actions


@flaw("5.6-scopes-used")
def lists_every_scope_as_used(provider: Provider) -> None:
    """The scopesUsed of a receipt are all scopes of the Brand."""
    _claim(provider, "scopesUsed", lambda provider, it: list(provider.brands[it.brand_id].scopes))


@flaw("5.6-scopes-used")
def writes_used_scopes_as_a_text(provider: Provider) -> None:
    """The scopesUsed of a receipt are a text with spaces, as in OAuth."""
    _claim(provider, "scopesUsed", lambda _provider, it: " ".join(it.reply.scopes_used))


@flaw("5.6-scopes-used")
def describes_used_scopes(provider: Provider) -> None:
    """The scopesUsed of a receipt are descriptions."""

    def described(provider: Provider, served: Served) -> object:
        scopes = provider.brands[served.brand_id].scopes
        return [scopes[scope] for scope in served.reply.scopes_used]

    _claim(provider, "scopesUsed", described)


@flaw("5.6-scopes-used")
def leaves_out_that_no_scope_was_used(provider: Provider) -> None:
    """A receipt of a turn that used no scope has null for scopesUsed."""
    _claim(provider, "scopesUsed", lambda _provider, it: list(it.reply.scopes_used) or None)


@flaw("5.6-scopes-used")
def leaves_used_scopes_out(provider: Provider) -> None:
    """A receipt has no scopesUsed."""
    _drop(provider, "scopesUsed")


@flaw("5.6-actions")
def counts_actions(provider: Provider) -> None:
    """The actions of a receipt are their number."""
    _claim(provider, "actions", lambda _provider, served: len(served.reply.actions))


@flaw("5.6-actions")
def sums_actions_up_in_a_text(provider: Provider) -> None:
    """The actions of a receipt are a sentence."""
    _claim(provider, "actions", lambda _provider, it: f"{len(it.reply.actions)} actions")


@flaw("5.6-actions")
def lists_tools_without_objects(provider: Provider) -> None:
    """The actions of a receipt are the names of tools."""
    _claim(provider, "actions", lambda _provider, it: [act.tool for act in it.reply.actions])


@flaw("5.6-actions")
def calls_a_tool_its_name(provider: Provider) -> None:
    """The actions of a receipt name their tool as name."""
    _claim(
        provider, "actions", lambda _provider, it: [{"name": act.tool} for act in it.reply.actions]
    )


@flaw("5.6-actions")
def lists_an_action_of_no_tool(provider: Provider) -> None:
    """A receipt of a turn that called no tool lists one without a name."""
    original = provider.delegation.receipt_claims["actions"]
    _claim(provider, "actions", lambda provider, it: original(provider, it) or [{"tool": ""}])


@flaw("5.6-actions")
def leaves_actions_out(provider: Provider) -> None:
    """A receipt has no actions."""
    _drop(provider, "actions")


# ts


def _time(provider: Provider, write: Callable[[datetime], object]) -> None:
    _claim(provider, "ts", lambda _provider, served: write(datetime.fromtimestamp(served.now, UTC)))


@flaw("5.6-ts")
def counts_the_seconds_of_a_receipt(provider: Provider) -> None:
    """The ts of a receipt are seconds since the epoch."""
    _time(provider, lambda now: int(now.timestamp()))


@flaw("5.6-ts")
def writes_the_time_without_an_offset(provider: Provider) -> None:
    """The ts of a receipt has no offset."""
    _time(provider, lambda now: now.replace(tzinfo=None).isoformat())


@flaw("5.6-ts")
def writes_the_time_in_a_zone(provider: Provider) -> None:
    """The ts of a receipt is in the time of Paris, with its offset."""
    _time(provider, lambda now: now.astimezone(timezone(timedelta(hours=2))).isoformat())


@flaw("5.6-ts")
def writes_local_time_as_utc(provider: Provider) -> None:
    """The ts of a receipt says Z, and is two hours late."""
    _time(provider, lambda now: f"{(now + timedelta(hours=2)):%Y-%m-%dT%H:%M:%SZ}")


@flaw("5.6-ts")
def writes_the_time_with_a_space(provider: Provider) -> None:
    """The ts of a receipt has a space between date and time."""
    _time(provider, lambda now: now.isoformat(" "))


@flaw("5.6-ts")
def writes_the_day_alone(provider: Provider) -> None:
    """The ts of a receipt is a date."""
    _time(provider, lambda now: f"{now:%Y-%m-%d}")


@flaw("5.6-ts")
def writes_the_time_of_the_grant(provider: Provider) -> None:
    """The ts of a receipt is the time at which the account was opened, years ago."""
    _time(provider, lambda _now: "2019-09-30T12:00:00Z")


@flaw("5.6-ts")
def writes_no_time(provider: Provider) -> None:
    """A receipt has no ts."""
    _drop(provider, "ts")
