"""Names of what Muster makes for a cluster that exists."""

import re

from hypothesis import given
from hypothesis import strategies as st

from muster.fleet.description.identifiers import is_cluster_name
from muster.fleet.own_names import stem


@given(st.from_regex(re.compile(r"[0-9A-Za-z][A-Za-z0-9_-]{0,99}"), fullmatch=True))
def test_a_stem_fits_whatever_name_eks_takes(name: str) -> None:
    assert is_cluster_name(stem(name))


def test_a_name_that_fits_stays() -> None:
    assert stem("ml-platform") == "ml-platform"


def test_two_names_that_differ_in_capitals_alone_have_two_stems() -> None:
    assert len({stem("ML_Prod"), stem("ml-Prod"), stem("ml-prod")}) == 3
