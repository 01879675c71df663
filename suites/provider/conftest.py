"""Makes the conversations fixtures of the checks of a Provider."""

from .conversations import *  # noqa: F403 - each conversation is a fixture
