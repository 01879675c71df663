"""Makes the scenarios fixtures of the checks of a personal agent."""

from .cards import *  # noqa: F403 - each scenario is a fixture
from .conversing import *  # noqa: F403
from .delegating_cards import *  # noqa: F403
from .delegating_flows import *  # noqa: F403
from .delegating_receipts import *  # noqa: F403
from .delegating_step_up import *  # noqa: F403
from .delegating_tokens import *  # noqa: F403
from .failing import *  # noqa: F403
from .judging import everything
from .publishing import awake
from .talking import *  # noqa: F403

__all__ = ["awake", "everything"]
