"""Makes the conversations fixtures of the checks of a Provider."""

from .acting import *  # noqa: F403 - each conversation is a fixture
from .authorizing import *  # noqa: F403
from .closing import *  # noqa: F403
from .conversations import *  # noqa: F403
from .ending import *  # noqa: F403
from .key_sets import *  # noqa: F403
from .repeats import *  # noqa: F403
from .stepping_up import *  # noqa: F403
from .strangers import *  # noqa: F403
from .troubles import *  # noqa: F403
