"""What a program that is not ours asks for and the offline monitor cannot know: told, never passed over."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """One thing that is not modelled."""

    where: str
    """The resource's URN, or the function that was asked."""
    missing: str
    """What is not known of it, and so not judged."""
