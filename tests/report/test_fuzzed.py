"""The commands that show an example again ask the subject that the run has asked."""

from pathlib import Path

from pact_conformance.report.fuzzed import commands

TOKEN = '["forged-tokens",["alg-missing"]]'
SCENE = '["hostile-answers",["card-missing"]]'
MOCKS = {
    "provider": "mock",
    "mock_flaws": ["one", "two"],
    "agent": "mock",
    "agent_flaws": ["three"],
    "fuzz": 2000,
}


def test_an_example_is_tried_again_at_the_same_provider() -> None:
    given = {"provider": "https://brand.example/a b"}

    assert commands(TOKEN, given)["again"] == (
        f"pact-conformance run '--provider=https://brand.example/a b' --example='{TOKEN}'"
    )


def test_an_example_is_tried_again_with_the_same_flaws() -> None:
    assert commands(TOKEN, MOCKS)["again"] == (
        f"pact-conformance run --provider=mock --mock-flaws=one,two --example='{TOKEN}'"
    )
    assert commands(SCENE, MOCKS)["again"] == (
        f"pact-conformance run --agent=mock --agent-flaws=three --example='{SCENE}'"
    )


def test_a_provider_that_is_known_by_its_parts_is_asked_by_them() -> None:
    parts = {"provider_url": "https://provider.example", "customer_id": "brand-1"}

    assert "--customer-id=brand-1" in commands(TOKEN, {**parts, "provider": "any"})["again"]
    assert "--customer-id" not in commands(TOKEN, {**parts, "provider": "mock"})["again"]


def test_what_is_tried_again_has_the_settings_of_the_file_that_was_named() -> None:
    lines = commands(TOKEN, {}, Path("my settings.toml"))

    assert lines["again"].startswith("pact-conformance run '--config=my settings.toml' --example=")
    assert "(pact-conformance token '--config=my settings.toml' --example=" in lines["sign"]


def test_what_fails_with_nothing_changed_is_not_to_be_kept() -> None:
    assert "keep" in commands(TOKEN, {})
    assert "keep" not in commands('["forged-tokens"]', {})
