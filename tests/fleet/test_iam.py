"""Names of roles, as IAM takes them."""

import pytest

from muster.fleet.iam import name_prefix


@pytest.mark.parametrize(
    ("cluster", "prefix"),
    [("c" * 31, f"{'c' * 31}-nodes-"), ("c" * 32, f"{'c' * 32}-node-"), ("c" * 50, "c" * 37 + "-")],
)
def test_a_names_prefix_is_cut_to_38_characters(cluster: str, prefix: str) -> None:
    """IAM takes 38 at most; the dash before the engine's own letters stays."""
    assert name_prefix(cluster, "nodes") == prefix
    assert len(prefix) == 38
