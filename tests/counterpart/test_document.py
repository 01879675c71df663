"""The document of the mock names all that can be configured, started with and asked for."""

from dataclasses import fields
from pathlib import Path

import pytest

from pact_conformance.counterpart.provider.__main__ import _parser
from pact_conformance.counterpart.provider.configuration import (
    AgentConfig,
    BrandConfig,
    ProviderConfig,
    _camel,
)
from pact_conformance.counterpart.provider.control import HOOKS

TEXT = (Path(__file__).parents[2] / "docs" / "mock-provider.md").read_text(encoding="utf-8")
MEMBERS = [field for kind in (ProviderConfig, BrandConfig, AgentConfig) for field in fields(kind)]
ARGUMENTS = [name for it in _parser()._actions for name in it.option_strings if name[1] == "-"]


@pytest.mark.parametrize("name", sorted({_camel(field.name) for field in MEMBERS}))
def test_each_member_of_the_configuration_is_described(name: str) -> None:
    assert f"`{name}`" in TEXT or f'"{name}"' in TEXT


@pytest.mark.parametrize("name", [name for name in ARGUMENTS if name != "--help"])
def test_each_argument_is_described(name: str) -> None:
    assert f"`{name}" in TEXT


@pytest.mark.parametrize("name", HOOKS)
def test_each_hook_is_described(name: str) -> None:
    assert f"`{name}`" in TEXT
