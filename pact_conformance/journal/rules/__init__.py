"""What holds for every exchange of a run, decided once over the whole journal."""

from pact_conformance.journal.rules import (
    delegated,
    errors,
    media_type,
    rate_limit,
    server_errors,
    unauthorized,
    unrouted,
)
from pact_conformance.journal.rules.rule import (
    Cause,
    Finding,
    Rule,
    RuleOutcome,
    fold,
    fold_all,
)

ALL: tuple[Rule, ...] = (
    *media_type.RULES,
    *unrouted.RULES,
    *unauthorized.RULES,
    *delegated.RULES,
    *errors.RULES,
    *server_errors.RULES,
    *rate_limit.RULES,
)
"""Every rule for Providers; sections of the specification decide the order in reports, and the
catalogue to which profile each belongs."""

__all__ = ["ALL", "Cause", "Finding", "Rule", "RuleOutcome", "fold", "fold_all"]
