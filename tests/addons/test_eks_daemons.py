"""What EKS runs by itself is known for every add-on that Muster pins."""

from muster.addons.daemon_sets import COREDNS, DAEMONS, Daemon, NodeUse, used_by_eks
from muster.versions import EKS_ADDONS


def test_every_pinned_addon_of_eks_is_accounted_for() -> None:
    """One that is pinned and not known here would take room that a rehearsal does not see."""
    known = {daemon.addon for daemon in DAEMONS} | {COREDNS.name}
    assert all(set(pinned) == known for pinned in EKS_ADDONS.values())


def test_what_they_take_from_every_node() -> None:
    """Three pods and 150m."""
    assert used_by_eks() == NodeUse(cpu_millicores=150, memory_mib=0, pods=3)
    assert used_by_eks([Daemon("a", "b", 5, 7), Daemon("c", "d", 1, 1, 2)]) == NodeUse(6, 8, 3)
