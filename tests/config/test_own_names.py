"""Names of what Muster makes for a cluster that exists."""

import re

from hypothesis import given
from hypothesis import strategies as st

from muster.config.identifiers import aws_name_stem, is_cluster_name


@given(st.from_regex(re.compile(r"[0-9A-Za-z][A-Za-z0-9_-]{0,99}"), fullmatch=True))
def test_a_stem_fits_whatever_name_eks_takes(name: str) -> None:
    assert is_cluster_name(aws_name_stem(name))


def test_a_name_that_fits_stays() -> None:
    assert aws_name_stem("ml-platform") == "ml-platform"


def test_two_names_that_differ_in_capitals_alone_have_two_stems() -> None:
    assert len({aws_name_stem("ML_Prod"), aws_name_stem("ml-Prod"), aws_name_stem("ml-prod")}) == 3
