from pathlib import Path

import pytest

from pact_conformance.settings import ABSENCES, BadSetting, Settings, load

CARD = "/.well-known/agent-card.json"
AGENT = {"PA_ISSUER": "https://pa.example", "PA_AUDIENCE": "a", "PA_PRIVATE_JWK": "{}"}


def settings(**environment: str) -> Settings:
    return load({}, environment={**AGENT, **environment})


@pytest.mark.parametrize(
    ("provider", "urls"),
    [
        (f"https://p.example/a2a/01J{CARD}", (f"https://p.example/a2a/01J{CARD}",)),
        ("https://p.example/cards/01J.json", ("https://p.example/cards/01J.json",)),
        (
            "https://p.example/a2a/01J",
            (f"https://p.example/a2a/01J{CARD}", "https://p.example/a2a/01J"),
        ),
        (
            "https://p.example/a2a/01J/",
            (f"https://p.example/a2a/01J{CARD}", "https://p.example/a2a/01J/"),
        ),
        ("brand.example", (f"https://brand.example{CARD}",)),
        ("https://brand.example/", (f"https://brand.example{CARD}",)),
        ("http://127.0.0.1:8750", (f"http://127.0.0.1:8750{CARD}",)),
        (
            "brand.example/shop",
            (f"https://brand.example/shop{CARD}", "https://brand.example/shop"),
        ),
    ],
)
def test_a_card_is_looked_for_where_the_setting_points(
    provider: str, urls: tuple[str, ...]
) -> None:
    read = settings(E2E_PROVIDER=provider, E2E_OTHER_BRAND=provider)

    assert read.card_urls(read.provider) == urls
    assert read.other_card_urls == urls


@pytest.mark.parametrize("word", ["any", "reference"])
def test_the_variables_of_the_reference_suite_make_the_card_urls(word: str) -> None:
    read = settings(
        E2E_PROVIDER=word,
        PROVIDER_URL="https://p.example/",
        CUSTOMER_ID="01A",
        OTHER_CUSTOMER_ID="01B",
    )

    assert read.card_urls(read.provider) == (f"https://p.example/a2a/01A{CARD}",)
    assert read.other_card_urls == (f"https://p.example/a2a/01B{CARD}",)


def test_a_second_brand_that_is_set_wins_over_the_other_customer() -> None:
    read = settings(
        E2E_PROVIDER="any",
        PROVIDER_URL="https://p.example",
        CUSTOMER_ID="01A",
        OTHER_CUSTOMER_ID="01B",
        E2E_OTHER_BRAND="https://p.example/a2a/01C",
    )

    assert read.other_card_urls[0] == f"https://p.example/a2a/01C{CARD}"


def test_without_a_second_brand_there_is_no_card_of_it() -> None:
    assert settings(E2E_PROVIDER="https://p.example").other_card_urls == ()


def test_the_built_in_provider_is_the_subject_where_nothing_else_is() -> None:
    assert load({}, environment={}).embedded
    assert load({"provider": "mock"}, environment={}).embedded
    assert not load({}, environment={"E2E_AGENT": "mock"}).embedded
    assert not settings(E2E_PROVIDER="https://p.example").embedded


def test_a_key_is_read_from_the_file_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agent.jwk").write_text('{"kty": "EC"}')
    monkeypatch.setenv("HOME", str(tmp_path))

    for named in (f"@{tmp_path}/agent.jwk", "@~/agent.jwk"):
        key = load({}, environment={"PA_PRIVATE_JWK": named}).private_jwk
        assert key is not None
        assert key.get_secret_value() == '{"kty": "EC"}'


@pytest.mark.parametrize(
    "variable", ["PA_PRIVATE_JWK", "PA_OTHER_PRIVATE_JWK", "PA_DISABLED_PRIVATE_JWK"]
)
def test_a_key_file_that_cannot_be_read_is_told_with_its_path(
    tmp_path: Path, variable: str
) -> None:
    path = tmp_path / "gone.jwk"

    with pytest.raises(BadSetting, match=f"^{variable}: cannot read the key file {path}: ") as told:
        load({}, environment={variable: f"@{path}"})

    assert "\n" not in str(told.value)


def test_a_key_file_that_is_not_text_is_told_without_its_content(tmp_path: Path) -> None:
    path = tmp_path / "key.der"
    path.write_bytes(b"secret\xff")

    with pytest.raises(BadSetting, match=f"^PA_PRIVATE_JWK: cannot read the key file {path}: "):
        load({}, environment={"PA_PRIVATE_JWK": f"@{path}"})


def test_what_the_subject_never_does_is_declared_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    lines = [f'{name} = "our {name} is done elsewhere"' for name in ABSENCES]
    path.write_text("[absent]\n" + "\n".join(lines))

    read = load({}, environment={}, file=path)

    assert read.absent["closing"] == "our closing is done elsewhere"
    assert set(read.absent) == set(ABSENCES)


def test_the_tables_of_the_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(
        """
[prompts]
orders_read = "Where is my order?"
[hooks]
close_conversation = "cmd:./close.sh"
revoke_grant = "https://hooks.example/revoke"
[headers]
X-Gateway-Key = "g4t3"
[approver_fields]
username_field = "login"
[[accounts]]
username = "alice"
password = "pw"
"""
    )

    read = load({}, environment={}, file=path)

    assert read.prompts == {"orders_read": "Where is my order?"}
    assert read.hooks.close_conversation == "cmd:./close.sh"
    assert read.hooks.revoke_grant == "https://hooks.example/revoke"
    assert read.hooks.fail_agent is None
    assert read.headers["X-Gateway-Key"].get_secret_value() == "g4t3"
    assert read.approver_fields.username_field == "login"
    assert read.accounts[0].username == "alice"
