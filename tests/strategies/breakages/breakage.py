"""What a way to break a legal description is."""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.strategies.described import Described
from tests.strategies.wanted import Wanted

Places = frozenset[str]
Break = Callable[[st.DrawFn, Described], tuple[Described, Places]]


def found_at(*places: str) -> Places:
    return frozenset(places)


@dataclass(frozen=True)
class Breakage:
    """One way to break a description, and the rule that names it."""

    rule: str
    wanted: Wanted
    break_: Break
