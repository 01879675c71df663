"""The doctor says what advice stays unmeasured for want of a setting."""

from pact_conformance.catalogue import advice
from pact_conformance.doctor.needs import unmet
from pact_conformance.file_tables import Hooks
from pact_conformance.settings import Settings
from pact_conformance.subject.plan import Plan

ROWS = advice.load().values()


def test_what_is_not_given_is_named_with_the_advice_that_takes_it() -> None:
    missing = unmet(ROWS, Settings(approver="browser"), Plan())

    assert missing["E2E_APPROVER=form",] == (
        "hardening-framing",
        "hardening-page-caching",
        "hardening-referrer",
        "hardening-cookies",
        "hardening-consent-csrf",
        "hardening-login-csrf",
        "hardening-open-redirect",
    )
    assert missing["hooks.revoke_grant",] == ("hardening-revocation",)


def test_advice_that_has_all_it_takes_lacks_nothing() -> None:
    settings = Settings(
        approver="form",
        prompts={"a": "b"},
        hooks=Hooks(revoke_grant="cmd:true"),
        jwks_url="http://k",
    )
    brought = frozenset({"PA_JWKS_LISTEN", "PA_SPARE_ISSUER", "PA_SPARE_PRIVATE_JWK"})

    assert unmet(ROWS, settings, Plan(), brought=brought) == {}
