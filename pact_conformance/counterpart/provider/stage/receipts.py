"""What can be wrong with the receipts of a Brand on the stage (§5.6)."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.provider.delegation.receipts import Served
from pact_conformance.counterpart.provider.delegation.signing import SigningKey

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.provider import Provider
    from pact_conformance.counterpart.provider.stage.script import Fault
    from pact_conformance.counterpart.provider.stage.stage import Stage


def direct(stage: "Stage") -> None:
    """Receipts have the faults of the script."""
    delegation = stage.provider.delegation
    honest, sign, attach = delegation.receipt, delegation.sign_receipt, delegation.attach_receipt

    def receipt(provider: "Provider", served: Served) -> dict[str, Any]:
        scene = stage.scene(served.brand_id)
        faults: frozenset[Fault] = frozenset() if scene is None else scene.next_receipt()
        if "missing" in faults:
            return {}
        if "new-key" in faults:
            provider.delegation.keys.rotate(served.brand_id)
        made = honest(provider, served)
        claims = _claims(made["claims"], faults)
        jws = made["jws"]
        if claims != made["claims"]:
            jws = sign(provider, served.brand_id, claims, "JWT")
        if "foreign-key" in faults:
            jws = _foreign(provider, served.brand_id).sign(claims, "JWT")
        if "signature" in faults:
            jws = _spoilt(jws)
        if "claims" in faults:
            claims = {**claims, "user": f"{claims['user']}-other"}
        return {"jws": jws, "claims": claims}

    def attach_if_any(answer: Any, receipt: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON values
        return attach(answer, receipt) if receipt else answer

    delegation.receipt = receipt
    delegation.attach_receipt = attach_if_any


def _claims(claims: dict[str, Any], faults: "frozenset[Fault]") -> dict[str, Any]:
    """Return claims that are signed, and that are not those of the turn."""
    wrong: dict[Fault, dict[str, Any]] = {
        "grant": {"grantId": "a2agrant_of_somebody_else"},
        "brand": {"brand": f"{claims['brand']}-other"},
        "scopes": {"scopesUsed": [*claims["scopesUsed"], "never:granted"]},
        "user": {"user": f"{claims['user']}-other"},
    }
    for fault, members in wrong.items():
        if fault in faults:
            claims = {**claims, **members}
    return claims


def _foreign(provider: "Provider", brand_id: str) -> SigningKey:
    """Return a key that nobody publishes, under the `kid` of one that is published."""
    own = provider.delegation.keys.of(brand_id)[0]
    return replace(SigningKey.generate(own.alg), kid=own.kid)


def _spoilt(jws: str) -> str:
    """Return a JWS whose signature has another first character."""
    head, _, signature = jws.rpartition(".")
    return f"{head}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
