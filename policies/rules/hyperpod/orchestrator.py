"""The EKS cluster that orchestrates a HyperPod cluster."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, HyperPodCluster, Reference
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import control_plane_of, display_name
from muster.policies.lookups.versions import hyperpod_supports, version_tuple
from muster.unknown import NotKnown, if_known, stored
from muster.versions import HYPERPOD_KUBERNETES


def hyperpod_alone_on_eks(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    on = stored(cluster, "orchestrator")
    same = fleet.having(HyperPodCluster, "orchestrator", on) if isinstance(on, Reference) else ()
    others = [display_name(each) for each in same if each.ref != cluster.ref]
    plane = if_known(lambda: control_plane_of(cluster, fleet))
    stated = fleet.cluster_facts(plane.name).hyperpod_clusters if plane and plane.existing else None
    observed = [each for each in stated or () if each != cluster.name]
    others += observed
    if others:
        # A rename replaces the cluster: AWS lists the former one, and no fact shows whose it is.
        former = f"; if {and_list(observed)} is the former name of this cluster, suppress this rule for the rename"
        renamed = former if observed else ""
        where = stored(plane, "name", None) or "its EKS cluster" if plane else "its EKS cluster"
        yield rule.finding(
            cluster,
            "",
            got=f"{where} has {and_list(others)} beside {display_name(cluster)}, but an EKS cluster can have only one "
            "HyperPod cluster",
            change="add the instance groups to the existing HyperPod cluster, or create another EKS cluster" + renamed,
        )
    plane = control_plane_of(cluster, fleet)
    if plane and plane.existing and not fleet.gone(ResourceKind.CLUSTER, plane.name):
        fleet.need(stated, f"the HyperPod clusters on {plane.name}")


_MODE, _EXISTING_MODE = "accessConfig.authenticationMode", "control-plane.existing.authentication"
_ACCEPTED, _REFUSED = ("API", "API_AND_CONFIG_MAP"), (None, "CONFIG_MAP")


def hyperpod_authentication_mode(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane = control_plane_of(cluster, fleet)
    if plane is None:
        return
    mode, name = plane.authentication, stored(plane, "name", None) or plane.ref.name
    if plane.existing and mode is None:
        raise NotKnown(f"the authentication mode of {name}")
    if mode in _REFUSED:
        given = f"authentication mode {mode}" if mode else "no authentication mode (default: CONFIG_MAP)"
        command = f"`aws eks update-cluster-config --name {name} --access-config authenticationMode=API_AND_CONFIG_MAP`"
        switch = set_to("api-and-config-map", words=f"(run {command})", in_program="API_AND_CONFIG_MAP")
        got = f"EKS cluster {name} has {given}, so the nodes of {display_name(cluster)} cannot join it"
        if plane.existing:
            yield rule.finding(plane, _EXISTING_MODE, got=got, change=switch)
        else:
            yield rule.finding(plane, _MODE, got=got, change=set_to("API"))
    elif mode not in _ACCEPTED:
        got = f"EKS cluster {name} has authentication mode {mode}, which Muster does not know"
        change = (set_to("API"), "check that EKS and HyperPod accept this mode")
        yield rule.advice.finding(plane, _MODE, got=got, change=change)


_FIRST, _LAST = HYPERPOD_KUBERNETES
_CHECK, _STEPS = "or check that HyperPod has images for it", "(a cluster that exists: one minor version at a time)"


def hyperpod_kubernetes_version(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane = control_plane_of(cluster, fleet)
    if plane is None:
        return
    version = plane.kubernetes
    if version is None:
        raise NotKnown("the Kubernetes version of the EKS cluster, which EKS chooses")
    if not hyperpod_supports(version):
        late = (version_tuple(version) or ()) > (version_tuple(_LAST) or ())
        got = f"HyperPod supports Kubernetes {_FIRST} to {_LAST}, but the EKS cluster has {version}"
        change = set_to(_LAST, words=_CHECK if late else _STEPS)
        yield (rule.advice if late else rule).finding(plane, "kubernetes", got=got, change=change)
