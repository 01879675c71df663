"""Agents that get §5, §5.1 and §5.2 wrong: whether, where and for what they ask for delegation."""

from collections.abc import Callable
from urllib.parse import urlsplit, urlunsplit

from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.delegation.device_flow import DeviceField
from pact_conformance.counterpart.personal_agent.delegation.oauth import Endpoints, OAuthError
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Brand, Relation, SignIn
from pact_conformance.wire.card import Delegation

MADE_UP = {"orders:read": "Look up your orders", "orders:cancel": "Cancel an order"}


@agent_flaw("5-agent-not-offered")
def guesses_where_delegation_is_offered(agent: PersonalAgent) -> None:
    """Where the card offers no delegation, OAuth endpoints are guessed from the interface URL."""
    find_offer = agent.delegation.find_offer

    def found(brand: Brand) -> Delegation:
        base = f"{brand.interface.url.rstrip('/')}/oauth"
        device, token = f"{base}/device_authorization", f"{base}/token"
        return find_offer(brand) or Delegation("guessed", device, token, None, MADE_UP, "")

    agent.delegation.find_offer = found


@agent_flaw("5-agent-not-offered")
def sends_a_header_without_a_token(agent: PersonalAgent) -> None:
    """Where it has no delegation token it sends the header with the word "none"."""
    header = agent.delegation.header
    agent.delegation.header = lambda draft: (
        header(draft) or (None if draft.relation.brand.card.delegation else "Bearer none")
    )


@agent_flaw("5.1-agent-finds-scheme")
def knows_the_offer_by_its_name(agent: PersonalAgent) -> None:
    """The scheme is looked up as `userDelegation`."""
    agent.delegation.find_offer = lambda brand: next(
        (it for it in brand.card.delegations if it.scheme == "userDelegation"), None
    )


@agent_flaw("5.1-agent-finds-scheme")
def takes_the_first_oauth_scheme(agent: PersonalAgent) -> None:
    """The first OAuth scheme of the card is taken, and given up where it has no device flow."""

    def first(brand: Brand) -> Delegation | None:
        document = brand.card.document
        schemes = document.get("securitySchemes") if isinstance(document, dict) else None
        names = [name for name, it in (schemes or {}).items() if "oauth2SecurityScheme" in it]
        return next((it for it in brand.card.delegations if it.scheme == names[0]), None)

    agent.delegation.find_offer = first


@agent_flaw("5.1-agent-endpoints")
def puts_oauth_behind_the_interface(agent: PersonalAgent) -> None:
    """The endpoints are `oauth/device_authorization` and `oauth/token` below the interface URL."""

    def below(agent: PersonalAgent, relation: Relation) -> Endpoints:
        endpoints(agent, relation)
        base = f"{relation.brand.interface.url.rstrip('/')}/oauth"
        return Endpoints(f"{base}/device_authorization", f"{base}/token", f"{base}/token")

    endpoints = agent.delegation.endpoints
    agent.delegation.endpoints = below


@agent_flaw("5.1-agent-endpoints")
def looks_for_oauth_at_the_host_of_the_interface(agent: PersonalAgent) -> None:
    """The paths of the endpoints are put behind the host of the interface."""
    endpoints = agent.delegation.endpoints

    def moved(agent: PersonalAgent, relation: Relation) -> Endpoints:
        found = endpoints(agent, relation)
        host = urlsplit(relation.brand.interface.url)

        def there(url: str) -> str:
            return urlunsplit(urlsplit(url)._replace(scheme=host.scheme, netloc=host.netloc))

        return Endpoints(
            there(found.device_authorization), there(found.token), there(found.refresh)
        )

    agent.delegation.endpoints = moved


@agent_flaw("5.2-agent-card-scopes")
def asks_for_offline_access(agent: PersonalAgent) -> None:
    """`offline_access` is added to the scopes, and left out again where that is refused."""
    _first_try(agent, lambda scope: f"{scope} offline_access")


@agent_flaw("5.2-agent-card-scopes")
def asks_for_scopes_between_commas(agent: PersonalAgent) -> None:
    """Scopes are joined by commas, and by spaces where that is refused."""
    _first_try(agent, lambda scope: f"openid,{scope}".replace(" ", ","))


@agent_flaw("5.2-agent-card-scopes")
def asks_for_the_scopes_of_another_brand(agent: PersonalAgent) -> None:
    """The ids of every Brand's scopes are kept for all Brands, and asked for everywhere."""
    known = dict.fromkeys(MADE_UP)

    def all_of_them(agent: PersonalAgent, relation: Relation, asked: object) -> tuple[str, ...]:
        del asked
        known.update(dict.fromkeys(agent.delegation.descriptions(agent, relation)))
        return tuple(known)

    agent.delegation.wanted_scopes = all_of_them


def _first_try(agent: PersonalAgent, change: Callable[[str], str]) -> None:
    """Ask for other scopes first."""
    begin, form = agent.delegation.begin, agent.delegation.device_form
    scope: DeviceField = form["scope"]

    def tried(agent: PersonalAgent, relation: Relation, scopes: tuple[str, ...]) -> SignIn:
        form["scope"] = lambda agent, request: change(scope(agent, request) or "")
        try:
            return begin(agent, relation, scopes)
        except OAuthError:
            form["scope"] = scope
            return begin(agent, relation, scopes)

    agent.delegation.begin = tried
