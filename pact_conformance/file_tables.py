"""What only the settings file holds, because it has parts: hooks, accounts, a form's fields."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Hooks(_Table):
    """Commands (`cmd:…`) or URLs of the tester that do what the protocol cannot."""

    close_conversation: str | None = None
    revoke_grant: str | None = None
    disable_agent: str | None = None
    enable_agent: str | None = None
    fail_agent: str | None = None
    slow_agent: str | None = None
    rate_limit: str | None = None
    advance_clock: str | None = None
    expire_code: str | None = None

    @field_validator("*")
    @classmethod
    def _is_command_or_url(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("cmd:", "http://", "https://")):
            raise ValueError("a hook is cmd:<command> or an http(s) URL")
        return value


class Account(_Table):
    """One of the two accounts at the Brand that the approver signs in with."""

    username: str
    password: SecretStr
    user: str | None = None


class ApproverFields(_Table):
    """What the Brand's login and the Provider's consent page call their fields and buttons.

    Only what the approver does not recognise by itself needs a name.
    """

    username_field: str = "username"
    password_field: str = "password"  # noqa: S105 - the field's name
    extra_fields: dict[str, str] = Field(default_factory=dict)
    approve: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    proceed: tuple[str, ...] = ()
    browser: str | None = None
    visible: bool = False


# A longer text is no path, and may be a key.
_LONGEST_PATH = 1024


def names_file(text: str) -> bool:
    """Say whether a text that should be a key is the path of one."""
    if len(text) > _LONGEST_PATH or not text.isprintable() or text.lstrip().startswith("{"):
        return False
    if text.endswith((".json", ".jwk", ".jwks", ".pem")):
        return True
    try:
        return Path(text).expanduser().is_file()
    except (OSError, RuntimeError):
        return False
