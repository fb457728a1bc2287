"""What EKS runs by itself is known for every add-on that Muster pins."""

from muster.addons.daemon_sets import DAEMONS, OF_EKS, used_of
from muster.versions import EKS_ADDONS


def test_every_pinned_addon_of_eks_is_accounted_for() -> None:
    """One that is pinned and not known here would take room that a rehearsal does not see."""
    assert all(set(pinned) == {*OF_EKS} for pinned in EKS_ADDONS.values())


def test_what_they_take_from_every_node() -> None:
    """Three pods and 150m."""
    assert {each: used_of(DAEMONS, each) for each in ("cpu", "memory", "pods")} == {
        "cpu": 150,
        "memory": 0,
        "pods": 3,
    }
