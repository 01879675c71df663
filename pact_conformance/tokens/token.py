"""A personal-agent JWT as the suite hands it around: its text, and how people read about it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Token:
    """A token ready to be sent."""

    text: str = field(repr=False)
    """The compact serialisation, as it stands after `Bearer`; for some forgeries something else."""
    label: str
    """One line for people: what is in it and what was changed. It never holds the token itself."""
    forgery: str | None = None
    """The id of the forgery that it is."""
    use_within: float | None = None
    """For how many seconds after its making a refusal is due; None where time plays no part."""
