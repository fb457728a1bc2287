"""`was`: the name that a group was made under."""

import pytest

from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from tests.factories import DROP, a_document


@pytest.mark.parametrize(
    ("groups", "at"),
    [
        ({"groups.workers.was": "system"}, ["groups.workers.was"]),
        ({"groups.workers.was": "old", "groups.system.was": "old"}, ["groups.workers.was"]),
        ({"groups.workers.was": "system", "groups.system.was": "workers"}, []),
        ({"groups.workers.was": "workers"}, []),
        ({"groups.workers.was": "old"}, []),
        ({"groups.workers.was": DROP}, []),
    ],
)
def test_no_two_groups_are_made_under_one_name(groups: dict[str, object], at: list[str]) -> None:
    _, found = validate(EksCluster, a_document(groups))
    assert [".".join(map(str, path)) for path, _ in found] == at
