"""How much of an account's quotas others use, as far as it was asked."""

from collections.abc import Mapping

from muster.fleet.resources import Fleet
from policies.reading.asked import was_asked


def others_use(used: Mapping[str, int] | None, quota: str, fleet: Fleet) -> int | None:
    """What others use of one quota; None where AWS was asked and did not say. Where nobody asked it is none: a person
    writes down what there is to write.

    Args:
        used: the facts about it: by code, or by name.
        quota: which.
        fleet: whose facts they are.
    """
    return (used or {}).get(quota, None if was_asked(fleet) else 0)


def use_unknown(quota: str, allowed: int, wanted: int, fleet: Fleet) -> str:
    """The words where it is not known.

    Args:
        quota: in words.
        allowed: its value.
        wanted: what the stack alone takes of it.
        fleet: what is judged.
    """
    return fleet.missing(f"how much of quota {quota} others use: it allows {allowed}, and {wanted} are wanted here")
