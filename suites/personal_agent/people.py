"""The Users that the agent under test speaks for, with what is known of them in person.

The ids are the agent's own, and tell nothing; what else is said of a User must not get into a `sub`
(§3.2). Names and numbers are such as do not stand in a random text by chance.
"""

from pact_conformance.subject.agent import User
from pact_conformance.wire.messages import new_id

ROSALIND = User(
    "u-5d0c91", "Rosalind Achterberg", "Rosalind.Achterberg@example.org", "+31 20 794 0571"
)
TOMASZ = User("u-b2f7e4", "Tomasz Wieczorek", "t.wieczorek@example.net", "+48 22 305 81 94")

PEOPLE = (ROSALIND, TOMASZ)


def stranger() -> User:
    """Return a User whom no agent has had before."""
    return User(new_id("u"), "Ifeoma Nwachukwu", "ifeoma.n@example.com", "+234 803 617 2294")
