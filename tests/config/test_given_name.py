"""Which group a managed node group's name in AWS was given for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.config.identifiers import group_of_generated_name

SUFFIX = "2026112110304512340000000a"
"""As terraform-plugin-sdk makes it: a time to a tenth of a millisecond, and a counter in hexadecimal."""

groups = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)


@given(groups, st.integers(10**17, 10**18 - 1), st.integers(0, 2**32 - 1))
def test_a_group_is_told_by_what_the_provider_put_behind_it(group: str, time: int, counter: int) -> None:
    """Whatever its own name ends in, be it such a suffix."""
    for name in (group, f"{group}-{SUFFIX}"):
        assert group_of_generated_name(f"{name}-{time}{counter:08x}") == name


@given(groups)
def test_a_name_of_another_form_is_none_of_ours(name: str) -> None:
    """Somebody gave it."""
    assert group_of_generated_name(name) is None


@pytest.mark.parametrize(
    "name",
    [
        *("", SUFFIX, f"-{SUFFIX}", f"workers{SUFFIX}", f"workers-{SUFFIX}0", f"workers-{SUFFIX[1:]}"),
        *(f"workers-{SUFFIX.upper()}", f"workers-{SUFFIX[:-1]}g", f"workers-a{SUFFIX[1:]}", f"workers-{SUFFIX}\n"),
    ],
)
def test_what_is_nearly_of_that_form_is_not(name: str) -> None:
    """A letter more or less, capitals, a letter in the time."""
    assert group_of_generated_name(name) is None
