"""What a preflight asked, as against what a person assumes."""

from muster.fleet.resources import Fleet


def was_asked(fleet: Fleet) -> bool:
    """Whether AWS said the facts: then what is not in them it did not answer. A person's facts are what that person
    thought of, and say nothing by what they leave out."""
    return fleet.facts is not None and fleet.facts.observed is not None
