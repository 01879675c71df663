"""Makes the conversations fixtures: those of the ordinary checks, and what is held for advice.

The ordinary ones come first, so that a bound on turns leaves theirs to them.
"""

from ..personal_agent.delegating_step_up import stepped_up_agent  # noqa: F401
from ..personal_agent.judging import everything  # noqa: F401
from ..personal_agent.talking import first_conversation  # noqa: F401
from ..provider.conftest import *  # noqa: F403 - each conversation is a fixture
from .changing_keys import *  # noqa: F403
from .crossing_sites import *  # noqa: F403
from .ending_grants import *  # noqa: F403
from .injecting import *  # noqa: F403
from .keeping_secrets import *  # noqa: F403
