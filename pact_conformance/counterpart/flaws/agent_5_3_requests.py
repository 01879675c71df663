"""Agents that get the OAuth requests of §5.3 wrong, and what they do with the link."""

import base64
import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import unquote, urlencode

from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation, SignIn
from pact_conformance.counterpart.personal_agent.transport import Request
from pact_conformance.counterpart.personal_agent.turns import Said

SECRET = "c2hhcmVkLWJ5LXRoZS10d28tb2YtdXM"  # noqa: S105 - it guards nothing

ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

Form = Mapping[str, str]


@agent_flaw("5.3-agent-client-auth", "3.2-agent-bearer")
def sends_a_client_assertion(agent: PersonalAgent) -> None:
    """At the OAuth endpoints the JWT comes as `client_assertion` in the form alone."""
    oauth_request = agent.delegation.oauth_request
    del agent.delegation.oauth_headers["Authorization"]

    def request(agent: PersonalAgent, relation: Relation, url: str, form: Form) -> Request:
        token = agent.mint_token(agent, relation)
        more = {"client_assertion_type": ASSERTION, "client_assertion": token}
        return oauth_request(agent, relation, url, {**form, **more})

    agent.delegation.oauth_request = request


@agent_flaw("5.3-agent-client-auth", "3.2-agent-bearer")
def asks_for_a_refresh_as_anybody(agent: PersonalAgent) -> None:
    """A refresh is first tried without the JWT, since the refresh token is a secret already."""
    oauth_request = agent.delegation.oauth_request

    def request(agent: PersonalAgent, relation: Relation, url: str, form: Form) -> Request:
        made = oauth_request(agent, relation, url, form)
        if form.get("grant_type") == "refresh_token":
            kept = tuple(it for it in made.headers if it[0] != "Authorization")
            agent.transport.send(replace(made, headers=kept))
        return made

    agent.delegation.oauth_request = request


@agent_flaw("3.1-agent-no-shared-secret")
def sends_a_client_secret(agent: PersonalAgent) -> None:
    """OAuth requests have a `client_secret`, on which the library insists."""
    agent.delegation.device_form["client_secret"] = lambda *_: SECRET
    agent.delegation.poll_form["client_secret"] = lambda *_: SECRET


@agent_flaw("3.1-agent-no-shared-secret", "5.3-agent-client-auth", "3.2-agent-bearer")
def logs_in_as_a_client(agent: PersonalAgent) -> None:
    """OAuth requests have Basic credentials in place of the JWT."""
    basic = base64.b64encode(f"agent:{SECRET}".encode()).decode()
    agent.delegation.oauth_headers["Authorization"] = lambda *_: f"Basic {basic}"


@agent_flaw("5.3-agent-client-id")
def has_a_client_id_of_its_own(agent: PersonalAgent) -> None:
    """`client_id` is a name from an earlier way of registration."""
    agent.delegation.client_id = lambda *_: "pact-agent-1"


@agent_flaw("5.3-agent-client-id")
def leaves_its_client_id_out_of_polls(agent: PersonalAgent) -> None:
    """Polls and refreshes have no `client_id`, since the JWT says who asks."""
    del agent.delegation.poll_form["client_id"]
    del agent.delegation.refresh_form["client_id"]


@agent_flaw("5.3-agent-form")
def sends_json_to_the_authorization_server(agent: PersonalAgent) -> None:
    """Requests to OAuth endpoints are JSON."""
    agent.delegation.oauth_headers["Content-Type"] = lambda _agent, _relation: "application/json"
    agent.delegation.encode_form = lambda form: json.dumps(dict(form)).encode()


@agent_flaw("5.3-agent-form")
def repeats_its_parameters_in_the_query(agent: PersonalAgent) -> None:
    """The parameters of a request stand in the query too."""
    oauth_request = agent.delegation.oauth_request

    def request(agent: PersonalAgent, relation: Relation, url: str, form: Form) -> Request:
        made = oauth_request(agent, relation, url, form)
        return replace(made, url=f"{url}?{urlencode(form)}")

    agent.delegation.oauth_request = request


@agent_flaw("5.3-agent-form")
def uses_the_grant_type_of_a_code(agent: PersonalAgent) -> None:
    """Polls name the grant type `device_code`, as drafts of RFC 8628 had it."""
    agent.delegation.poll_form["grant_type"] = lambda _agent, _relation, _sign_in: "device_code"


@agent_flaw("5.3-agent-shows-link")
def shows_the_link_without_the_code(agent: PersonalAgent) -> None:
    """The User is shown `verification_uri`."""
    agent.delegation.login_link = lambda answer: documents.text(answer, "verification_uri")


@agent_flaw("5.3-agent-shows-link")
def writes_the_link_out_itself(agent: PersonalAgent) -> None:
    """The link is shown without its escapes, as a model would write it."""
    login_link = agent.delegation.login_link
    agent.delegation.login_link = lambda answer: unquote(login_link(answer) or "") or None


@agent_flaw("5.3-agent-shows-link")
def cuts_a_long_link(agent: PersonalAgent) -> None:
    """Of a link 120 characters are shown."""
    login_link = agent.delegation.login_link
    agent.delegation.login_link = lambda answer: (login_link(answer) or "")[:120] or None


@agent_flaw("5.3-agent-no-fetch")
def previews_the_link(agent: PersonalAgent) -> None:
    """The link is fetched for a preview before it is shown."""
    begin = agent.delegation.begin

    def previewed(agent: PersonalAgent, relation: Relation, scopes: tuple[str, ...]) -> SignIn:
        sign_in = begin(agent, relation, scopes)
        _open(agent, "GET", sign_in.link)
        return sign_in

    agent.delegation.begin = previewed


@agent_flaw("5.3-agent-no-fetch")
def looks_at_the_login_before_it_polls(agent: PersonalAgent) -> None:
    """The link is asked for with HEAD, to see whether the User may still sign in."""
    go_on = agent.delegation.go_on

    def looked(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> Said:
        _open(agent, "HEAD", sign_in.link)
        return go_on(agent, relation, sign_in)

    agent.delegation.go_on = looked


def _open(agent: PersonalAgent, method: str, link: str) -> None:
    """Open a link, whatever comes of it."""
    try:
        agent.transport.send(Request(method, link))
    except Failure:
        return
