"""The EKS add-ons that Muster pins for a Kubernetes version."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet
from muster.versions import EKS_ADDONS
from policies.reading.kubernetes_versions import is_offered
from policies.reading.templates import is_described
from policies.reading.versions import taken
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "eks-addons-pinned",
    title="Muster pins the EKS add-ons of the Kubernetes version",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="The network plugin, the proxy and DNS come as add-ons, at versions tried with that Kubernetes version. "
    "Without them nodes never become ready.",
    source="EKS API, DescribeAddonVersions; muster/versions.py",
    remedy="Take a version with pinned add-ons, or pin them in muster/versions.py.",
    facts=("rules.md#10",),
)
def eks_addons_pinned(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing:
        return  # its add-ons are its owner's
    version = cluster.kubernetes
    # Other programs bring add-ons of their own; versions EKS does not have are kubernetes-version-supported's finding,
    # or kubernetes-version-offered's.
    if not is_described(cluster.place) or not isinstance(version, str):
        return
    if version not in EKS_ADDONS and is_offered(version, fleet):
        yield rule.finding(
            cluster.place,
            at="kubernetes",
            got=f"no EKS add-ons are pinned for Kubernetes {version}",
            remedy=f"take one of {some(taken(EKS_ADDONS, fleet))}, "
            f"or add the add-ons of {version} to muster/versions.py",
        )
