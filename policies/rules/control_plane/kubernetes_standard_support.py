"""What an old Kubernetes version costs."""

from collections.abc import Iterator
from datetime import timedelta

from pydantic import Field

from muster.fleet.finding import Level
from muster.fleet.resources import ControlPlane, Fleet
from muster.versions import EKS_ADDONS
from policies.options import Options
from policies.reading.kubernetes_versions import is_offered, support_of
from policies.reading.templates import is_described
from policies.rule import Rule, Severity, Verdict, rule


class Notice(Options):
    """How early the end is told."""

    days: int = Field(default=0, ge=0, le=365, description="How many days before standard support ends it is told.")


@rule(
    "kubernetes-standard-support",
    title="The Kubernetes version is in standard support",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="In extended support the control plane costs six times as much ($0.60 an hour instead of $0.10).",
    source="EKS user guide, Kubernetes release calendar; Amazon EKS pricing",
    remedy="Upgrade, one minor version at a time.",
    facts=("hardware.md#R11",),
    options=Notice,
)
def kubernetes_standard_support(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # A version that is unknown, or past all support, is kubernetes-version-supported's finding, or
    # kubernetes-version-offered's; one that Muster pins no add-ons for is eks-addons-pinned's.
    if is_described(cluster.place) and cluster.kubernetes not in EKS_ADDONS:
        return
    support = support_of(cluster.kubernetes, fleet)
    if support is None or not is_offered(cluster.kubernetes, fleet):
        return
    left = (support.standard_ends - fleet.as_of).days
    if left < 0:
        yield rule.finding(
            cluster.place,
            at="kubernetes",
            got=f"standard support of Kubernetes {cluster.kubernetes} ended on {support.standard_ends}",
            remedy=f"upgrade: the control plane costs six times as much until {support.extended_ends}, "
            "when EKS upgrades it by itself",
        )
    elif left < Notice.of(rule.settings).days:
        ends = support.standard_ends
        yield rule.finding(
            cluster.place,
            at="kubernetes",
            got=f"standard support of Kubernetes {cluster.kubernetes} ends on {ends}",
            remedy=f"upgrade until {ends + timedelta(days=1)}: from then on the control plane costs six times as much",
        )
