"""Whom a built-in counterpart plays; as the catalogue names the roles."""

from typing import Literal

Role = Literal["provider", "personal-agent"]
