from pathlib import Path

import pytest

from pact_conformance.settings import BadSetting, load

KEY = {"PA_ISSUER": "https://pa.example", "PA_AUDIENCE": "a", "PA_PRIVATE_JWK": "{}"}


def line(
    options: dict[str, str] | None = None,
    environment: dict[str, str] | None = None,
    file: Path | None = None,
) -> str:
    """The one line that a bad setting is told in."""
    with pytest.raises(BadSetting) as caught:
        load(options or {}, environment=environment or {}, file=file)
    message = str(caught.value)

    assert "\n" not in message
    assert len(message) < 300
    return message


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("E2E_PROVIDER", "ftp://provider.example", "http(s) URL or a domain"),
        ("E2E_PROVIDER", "https://", "http(s) URL or a domain"),
        ("E2E_PROVIDER", "https://[::1", "http(s) URL or a domain"),
        ("E2E_PROVIDER", "https://provider.example:99999", "http(s) URL or a domain"),
        ("E2E_PROVIDER", "a provider", "http(s) URL or a domain"),
        ("E2E_OTHER_BRAND", "mock", "http(s) URL or a domain"),
        ("E2E_UNKNOWN_BRAND", "provider.example", "http(s) URL"),
        ("PROVIDER_URL", "provider.example", "http(s) URL"),
        ("PA_JWKS_URL", "localhost:8000", "http(s) URL"),
        ("PA_JWKS_LISTEN", "8000", "HOST:PORT"),
        ("PA_JWKS_LISTEN", "localhost:http", "HOST:PORT"),
        ("PA_JWKS_LISTEN", "localhost:70000", "HOST:PORT"),
        ("E2E_APPROVER", "forms", "expected form, browser, cmd:COMMAND, an http(s) URL or manual"),
        ("E2E_APPROVER", "ftp://approver.example", "expected form, browser, cmd:COMMAND"),
        ("E2E_APPROVER", "https://", "expected form, browser, cmd:COMMAND"),
        ("E2E_APPROVER", "cmd:", "expected a command after cmd:"),
        ("E2E_APPROVER", "cmd:'", "a command that no shell reads (No closing quotation)"),
        ("E2E_AGENT", "Mock", "expected mock, python:MODULE:FACTORY, cmd:COMMAND, an http(s) URL"),
        ("E2E_AGENT", "form", "expected mock, python:MODULE:FACTORY, cmd:COMMAND"),
        ("E2E_AGENT", "python:adapter", "expected python:MODULE:FACTORY"),
        ("E2E_AGENT", "python:adapter.py:make", "expected python:MODULE:FACTORY"),
        ("E2E_AGENT", "python:a:make()", "expected python:MODULE:FACTORY"),
        ("E2E_AGENT", "cmd: ", "expected a command after cmd:"),
        ("E2E_AGENT", "cmd:'", "a command that no shell reads (No closing quotation)"),
        ("E2E_AGENT", "localhost:8000", "expected mock, python:MODULE:FACTORY"),
        ("E2E_AGENT_JWKS", "jwks.json", "http(s) URL"),
        ("E2E_TEST_TIMEOUT_MS", "soon", "integer"),
        ("E2E_TEST_TIMEOUT_MS", "1", "greater than or equal to 100"),
    ],
)
def test_a_bad_variable_is_told_with_what_was_expected_what_came_and_where(
    variable: str, value: str, expected: str
) -> None:
    said = line(environment={variable: value})

    assert said.startswith(f"{variable} {value!r}: ")
    assert expected in said
    assert said.endswith("(set by the environment)")


@pytest.mark.parametrize(("name", "there"), [("key", True), ("key.json", False)])
def test_a_key_file_without_its_at_sign_is_told_how_to_write_it(
    tmp_path: Path, name: str, *, there: bool
) -> None:
    path = tmp_path / name
    if there:
        path.write_text("{}")

    said = line(environment={"PA_PRIVATE_JWK": str(path)})

    assert said == f"PA_PRIVATE_JWK: a file is written @{path} (set by the environment)"


@pytest.mark.parametrize(
    ("key", "value", "named", "expected"),
    [
        ("profile", "both", "--pact-profile", "'identity', 'delegated' or 'auto'"),
        ("operations", "loose", "--pact-operations", "'strict' or 'lenient'"),
        ("max_turns", "-1", "--pact-max-turns", "greater than or equal to 0"),
        ("max_wait", "nan", "--pact-max-wait", "less than or equal to 3600"),
        ("max_wait", "1h", "--pact-max-wait", "number"),
        ("fuzz", "many", "--pact-fuzz", "integer"),
        ("provider", "", "E2E_PROVIDER", "http(s) URL or a domain"),
    ],
)
def test_a_bad_option_is_told_likewise(key: str, value: str, named: str, expected: str) -> None:
    said = line({key: value})

    assert said.startswith(f"{named} {value!r}: ")
    assert expected in said
    assert said.endswith(f"(set by the option --pact-{key.replace('_', '-')})")


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        ('seed = "x"\n', "--pact-seed 'x'", "integer"),
        ('absent = {sleeping = "never"}\n', "absent", "nothing called 'sleeping' can be absent"),
        ('absent = {closing = " "}\n', "absent", "closing is declared absent without a reason"),
        ("absent = {closing = true}\n", "absent.closing True", "valid string"),
        ('ca_file = "/nowhere/ca.pem"\n', "ca_file", "there is no file /nowhere/ca.pem"),
        ("jwks_cache_s = -1\n", "jwks_cache_s -1", "greater than or equal to 0"),
        ('hooks = {revoke_grant = "rm -rf"}\n', "hooks.revoke_grant", "cmd:<command> or an http"),
    ],
)
def test_a_bad_key_of_the_file_is_told_with_the_file(
    toml: Path, text: str, named: str, expected: str
) -> None:
    toml.write_text(text)

    said = line(file=toml)

    assert said.startswith(named)
    assert expected in said
    assert said.endswith(f"(set by the file {toml})")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("max-wait = 1\n", "unknown key 'max-wait'; did you mean 'max_wait'?"),
        ('E2E_PROVIDER = "x"\n', "unknown key 'E2E_PROVIDER'; did you mean 'provider'?"),
        ('close_conversation = "cmd:x"\n', "did you mean 'hooks.close_conversation'?"),
        ('[hooks]\nrevoke = "cmd:x"\n', "'hooks.revoke'; did you mean 'revoke_grant'?"),
        (
            '[[accounts]]\nusername = "u"\npassword = "p"\nusr = "x"\n',
            "'accounts.0.usr'; did you mean 'user'?",
        ),
        ("zzz = 1\n", "unknown key 'zzz'"),
    ],
)
def test_an_unknown_key_is_told_with_the_one_that_was_meant(
    toml: Path, text: str, hint: str
) -> None:
    toml.write_text(text)

    said = line(file=toml)

    assert said.startswith(f"{toml}: unknown key")
    assert said.endswith(hint)


@pytest.mark.parametrize("text", ["profile = \n", "a = 1\na = 2\n", "[hooks\n"])
def test_a_file_that_is_no_toml_is_told_with_the_line(toml: Path, text: str) -> None:
    toml.write_text(text)

    said = line(file=toml)

    assert said.startswith(f"{toml}: ")
    assert "line" in said


def test_a_file_that_is_not_text_is_told(toml: Path) -> None:
    toml.write_bytes(b"profile = \xff\n")

    assert line(file=toml).startswith(f"{toml}: ")


def test_a_named_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    said = line(file=tmp_path / "gone.toml")

    assert said == f"--pact-config: there is no file {tmp_path / 'gone.toml'}"


@pytest.mark.parametrize("gone", ["PA_ISSUER", "PA_AUDIENCE", "PA_PRIVATE_JWK"])
def test_a_provider_without_a_registered_agent_is_told_what_to_set(gone: str) -> None:
    given = {name: value for name, value in KEY.items() if name != gone}

    said = line(environment={"E2E_PROVIDER": "https://provider.example", **given})

    assert said.startswith(f"{gone} is not set")
    assert "PA_ISSUER, PA_AUDIENCE and PA_PRIVATE_JWK" in said


@pytest.mark.parametrize("approver", ["form", "browser"])
def test_who_signs_in_needs_an_account(approver: str) -> None:
    given = {"E2E_PROVIDER": "https://provider.example", "E2E_APPROVER": approver, **KEY}

    said = line(environment=given)

    assert said.startswith(f"E2E_APPROVER={approver} signs in at the Brand: give it [[accounts]]")
    assert load({"profile": "identity"}, environment=given).approver == approver
    assert load({}, environment={"E2E_APPROVER": approver}).approver == approver


@pytest.mark.parametrize("who", ["OTHER", "DISABLED"])
@pytest.mark.parametrize("half", ["ISSUER", "PRIVATE_JWK"])
def test_half_a_registration_is_told(who: str, half: str) -> None:
    said = line(environment={f"PA_{who}_{half}": "https://half.example"})

    assert said == f"PA_{who}_ISSUER and PA_{who}_PRIVATE_JWK belong together"


@pytest.mark.parametrize("word", ["any", "reference"])
def test_the_words_of_the_reference_suite_need_its_variables(word: str) -> None:
    said = line(environment={"E2E_PROVIDER": word, "PROVIDER_URL": "https://provider.example"})

    assert said == f"E2E_PROVIDER={word} reads PROVIDER_URL and CUSTOMER_ID: set both"


AGENT = {"E2E_AGENT_ISSUER": "https://pa.example", "E2E_AGENT_JWKS": "https://pa.example/jwks"}


@pytest.mark.parametrize("way", ["python:a.b:C.d", "cmd:agent", "http://[::1]:1/x", "manual"])
@pytest.mark.parametrize("gone", [*AGENT, "both"])
def test_an_agent_that_the_stage_cannot_know_is_told_what_to_set(way: str, gone: str) -> None:
    given = {name: value for name, value in AGENT.items() if gone not in {name, "both"}}

    said = line(environment={"E2E_AGENT": way, **given})

    named = "E2E_AGENT_ISSUER and E2E_AGENT_JWKS are" if gone == "both" else f"{gone} is"
    assert said.startswith(f"{named} not set: the mock Provider knows the agent by")
    assert load({}, environment={"E2E_AGENT": way, **AGENT}).agent == way
    assert load({}, environment={"E2E_AGENT": "mock", **given}).agent == "mock"


SECRET = "s3cr3t-value-of-the-tester"


@pytest.mark.parametrize(
    "text",
    [
        f"private_jwk = {{k = '{SECRET}'}}\n",
        f"other_private_jwk = ['{SECRET}']\n",
        f"headers = '{SECRET}'\n",
        f"headers = {{X-Key = ['{SECRET}']}}\n",
        f"[[accounts]]\nusername = 'u'\npasword = '{SECRET}'\n",
        f"[[accounts]]\nusername = 'u'\npassword = ['{SECRET}']\n",
        f"accounts = '{SECRET}'\n",
        f"[hooks]\nclose_conversation = 'curl -H Authorization:{SECRET}'\n",
        f"[approver_fields]\nextra_fields = {{pin = ['{SECRET}']}}\n",
        f"provider = 'https://user:{SECRET}@provider.example'\n",
        f"provider = 'ftp://user:{SECRET}@provider.example'\n",
    ],
)
def test_a_secret_is_not_repeated(toml: Path, text: str) -> None:
    toml.write_text(text)

    with pytest.raises(BadSetting) as caught:
        load({}, environment={}, file=toml)

    told: BaseException | None = caught.value
    while told is not None:
        assert SECRET not in str(told)
        assert SECRET not in repr(told)
        told = told.__cause__ or told.__context__
