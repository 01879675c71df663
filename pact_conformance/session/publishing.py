"""What the run's own JWKS server serves: the sets of its personal agents (§3.1), and traps.

A trap is a key that can be found below an issuer, but not at the URL that the Provider registered.
"""

import dataclasses
import json

from pact_conformance.settings import Settings
from pact_conformance.subject.plan import Plan, Registration
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey, jwks, keys_from_json

DISCOVERY = ".well-known/openid-configuration"

# Where somebody who guesses might look for keys, below an issuer.
_GUESSED = (".well-known/jwks.json", "jwks.json")


def publish_all(server: JwksServer, settings: Settings, plan: Plan) -> Plan:
    """Serve the sets of a plan's personal agents; return the plan with what this makes possible."""
    spares = {spare.name: spare.registration for spare in plan.spares.values()}
    registered = {"primary": plan.primary, "other": plan.other, **spares}
    for name, registration in registered.items():
        if registration is not None:
            server.publish(name, keys_from_json(registration.keys))
    stray = stranger = None
    if plan.primary is not None and plan.primary.issuer.startswith(f"{server.base_url}/"):
        stray = publish_elsewhere(server, plan.primary.issuer, plan.primary.audience)
    if settings.open_audience is not None:
        issuer = f"{server.base_url}/unregistered"
        stranger = publish_elsewhere(server, issuer, settings.open_audience)
    return dataclasses.replace(
        plan, stray=stray, stranger=stranger, jwks_control=server.control_url
    )


def publish_elsewhere(server: JwksServer, issuer: str, audience: str) -> Registration:
    """Serve a fresh key wherever it could be guessed from an issuer below the server's URL.

    Return the issuer with that key. What it signs has to be refused where another URL was
    registered; where nobody registered the issuer, an open Provider finds it.
    """
    key = SigningKey.generate("ES256", kid="published-elsewhere")
    path = issuer.removeprefix(server.base_url).strip("/")
    body = json.dumps(jwks([key])).encode()
    for place in _GUESSED:
        server.put(f"{path}/{place}", body, "application/jwk-set+json")
    document = {"issuer": issuer, "jwks_uri": f"{issuer.rstrip('/')}/{_GUESSED[0]}"}
    server.put(f"{path}/{DISCOVERY}", json.dumps(document).encode(), "application/json")
    return Registration(issuer, audience, json.dumps({"keys": [key.private_jwk()]}))
