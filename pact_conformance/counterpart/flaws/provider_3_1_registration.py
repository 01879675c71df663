"""Flaws of §3.1: which personal agents are known, and for which audience."""

from collections.abc import Callable
from urllib.parse import unquote

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.configuration import AgentConfig
from pact_conformance.counterpart.provider.gates import caller_is_known
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    Verifier,
    issuer_is_registered,
)
from pact_conformance.counterpart.substitution import SERVED_MESSAGES, a2a_error

# The issuer


def _read_issuer(provider: Provider, read: Callable[[str], str]) -> None:
    """Compare issuers by what `read` makes of them."""

    async def issuer_is_known(verifier: Verifier, token: Presented) -> None:
        issuer = token.claims.get("iss")
        for known in verifier.agents if isinstance(issuer, str) else ():
            if read(str(issuer)) == read(known):
                token.claims["iss"] = known
        await issuer_is_registered(verifier, token)

    provider.verifier.steps.replace("issuer_is_registered", issuer_is_known)


@flaw("3.1-issuer-exact")
def folds_the_case_of_an_issuers_host(provider: Provider) -> None:
    """An issuer whose scheme and host are in another case is taken for the registered one."""

    def read(issuer: str) -> str:
        scheme, _, rest = issuer.partition("://")
        host, slash, path = rest.partition("/")
        return f"{scheme.lower()}://{host.lower()}{slash}{path}"

    _read_issuer(provider, read)


@flaw("3.1-issuer-exact")
def ignores_the_default_port_of_an_issuer(provider: Provider) -> None:
    """An issuer with the port that its scheme has anyway is taken for the registered one."""
    _read_issuer(provider, lambda issuer: issuer.replace(":443", "", 1).replace(":80/", "/", 1))


@flaw("3.1-issuer-exact")
def ignores_a_fragment_after_the_issuer(provider: Provider) -> None:
    """An issuer with a fragment is taken for the registered one."""
    _read_issuer(provider, lambda issuer: issuer.partition("#")[0])


@flaw("3.1-issuer-exact")
def decodes_percents_in_an_issuer(provider: Provider) -> None:
    """An issuer with letters in percent-encoding is taken for the registered one."""
    _read_issuer(provider, unquote)


@flaw("3.1-unknown-issuer", "3.1-issuer-exact", "3.2-iss")
def takes_unknown_issuers_at_their_word(provider: Provider) -> None:
    """A token of an issuer that is not registered is accepted unverified."""
    steps = provider.verifier.steps
    signature = steps["signature_is_good"]

    async def issuer_is_known(verifier: Verifier, token: Presented) -> None:
        issuer = token.claims.get("iss")
        if isinstance(issuer, str) and issuer and issuer not in verifier.agents:
            token.agent = AgentConfig(issuer=issuer, jwks_uri="")
        else:
            await issuer_is_registered(verifier, token)

    def signature_is_good(verifier: Verifier, token: Presented) -> None:
        if token.agent is None or token.agent.jwks_uri:
            signature(verifier, token)

    steps.replace("issuer_is_registered", issuer_is_known)
    steps.replace("signature_is_good", signature_is_good)


# Disabling


@flaw("3.1-disabled")
def serves_disabled_agents(provider: Provider) -> None:
    """A disabled personal agent is served like any other."""
    provider.verifier.steps.drop("agent_is_enabled")


@flaw("3.1-disabled")
def notices_disabling_only_at_its_next_start(provider: Provider) -> None:
    """A personal agent that is disabled while the Provider runs is served on."""
    enabled = {issuer for issuer, agent in provider.verifier.agents.items() if agent.enabled}
    original = provider.verifier.steps["agent_is_enabled"]

    def agent_was_enabled(verifier: Verifier, token: Presented) -> None:
        if token.agent is None or token.agent.issuer not in enabled:
            original(verifier, token)

    provider.verifier.steps.replace("agent_is_enabled", agent_was_enabled)


def _answer_disabled(provider: Provider, answer: Callable[[], Response]) -> None:
    original = provider.answers.unauthorized

    def unauthorized(refusal: Unauthenticated) -> Response:
        return answer() if str(refusal) == "disabled" else original(refusal)

    provider.answers.unauthorized = unauthorized


@flaw("3.1-disabled", "6-envelope")
def forbids_disabled_agents(provider: Provider) -> None:
    """A disabled personal agent gets 403."""
    _answer_disabled(provider, lambda: Response(status_code=403))


@flaw("3.1-disabled", "6-table")
def answers_disabled_agents_with_an_a2a_error(provider: Provider) -> None:
    """A disabled personal agent gets UNSUPPORTED_OPERATION with 403."""
    _answer_disabled(provider, lambda: a2a_error("UNSUPPORTED_OPERATION", 403, "PERMISSION_DENIED"))


# Audience and Users


@flaw("3.1-one-audience")
def assigns_an_audience_for_each_brand(provider: Provider) -> None:
    """The audience that is assigned at one Brand is refused at the others."""
    first = next(iter(provider.brands))

    async def caller_is_known_here(provider: Provider, call: Call) -> None:
        await caller_is_known(provider, call)
        if call.user is not None and call.brand_id != first:
            raise Unauthenticated("aud")

    provider.gates.replace("caller_is_known", caller_is_known_here)


@flaw(*SERVED_MESSAGES, "3.1-no-user-registration")
def serves_registered_users_only(provider: Provider) -> None:
    """A message of a User who was not registered beforehand gets 401."""

    def the_user_is_registered(_submission: Submission) -> None:
        raise Unauthenticated("sub")

    provider.rules.add(the_user_is_registered)
