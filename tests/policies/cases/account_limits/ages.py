"""How old facts are."""

from muster.fleet.resources import Fleet
from tests.policies.account_limits import YESTERDAY, created, said


def kept(path: str, day: str | None) -> Fleet:
    """Asked yesterday, with something that AWS did not answer then and said on a day before."""
    return created(said(**YESTERDAY, kept={path: day and f"{day}T10:00:00Z"}))
