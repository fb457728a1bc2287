"""What EKS runs by itself is known for every add-on that Muster pins."""

from muster.addons.daemon_sets import COREDNS, DAEMONS, used_of
from muster.versions import EKS_ADDONS


def test_every_pinned_addon_of_eks_is_accounted_for() -> None:
    """One that is pinned and not known here would take room that a rehearsal does not see."""
    known = {*DAEMONS, COREDNS.name}
    assert all(set(pinned) == known for pinned in EKS_ADDONS.values())


def test_what_they_take_from_every_node() -> None:
    """Three pods and 150m."""
    assert {each: used_of(DAEMONS.values(), each) for each in ("cpu", "memory", "pods")} == {
        "cpu": 150,
        "memory": 0,
        "pods": 3,
    }
