"""In which order a HyperPod cluster comes about: what must stand before the first instance, and what waits for it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from muster.deploy import deploy
from muster.fleet.registration import Registration
from muster.offline.recording import record
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.infra.registered import Registered

CLUSTER = "aws-native:sagemaker:Cluster"
EKS_ADDON = "aws:eks/addon:Addon"
RELEASE = "kubernetes:helm.sh/v3:Release"
LUSTRE = {"lustre": {"size": "4800GiB", "throughput": 250, "data": {"/datasets": {"s3": "s3://my-datasets"}}}}


def registered(edits: Mapping[str, Any] | None = None) -> Registered:
    """What the small HyperPod cluster registers, edited."""
    blueprint = a_hyperpod_blueprint(edits, "test")
    return Registered(record(lambda: deploy(blueprint), stack="test", region="us-west-2"))


def before(program: Registered, urn: str) -> frozenset[str]:
    """URNs of everything that must stand before it, however many steps away."""
    by_urn = {each.urn: each for each in program.all}

    @cache
    def of(one: str) -> frozenset[str]:
        each = by_urn[one]
        direct = {*each.dependencies, *(urn for urns in each.property_dependencies.values() for urn in urns)}
        return frozenset(direct).union(*(of(other) for other in direct if other in by_urn))

    return of(urn)


def cluster_of(program: Registered) -> Registration:
    (found,) = [each for each in program.all if each.type == CLUSTER]
    return found


def test_what_stands_before_the_first_instance() -> None:
    """The chart, the CNI, kube-proxy and Pod Identity's agent, the file system, the scripts: and no add-on else."""
    program = registered({"storage": {"scratch": LUSTRE}, "addons.kueue": {}, "addons.fsx-csi-driver": {}})
    first = before(program, cluster_of(program).urn)
    assert {
        program.one(RELEASE, "hyperpod").urn,
        program.one("aws:fsx/lustreFileSystem:LustreFileSystem", "scratch").urn,
    } <= first
    names = {urn.rpartition("::")[2] for urn in first if f"{EKS_ADDON}::" in urn}
    assert names == {"vpc-cni", "kube-proxy", "eks-pod-identity-agent"}
    assert {urn.rpartition("::")[2] for urn in first if f"{RELEASE}::" in urn} == {"hyperpod"}


def test_the_chart_waits_for_what_is_before_nodes_and_for_no_node() -> None:
    """Else neither would ever come."""
    program = registered()
    first = before(program, program.one(RELEASE, "hyperpod").urn)
    assert cluster_of(program).urn not in first
    for name in ("vpc-cni", "kube-proxy", "eks-pod-identity-agent"):
        assert program.one(EKS_ADDON, name).urn in first
    assert any("aws:eks/cluster:Cluster" in urn for urn in first)


def test_all_other_addons_wait_for_the_nodes() -> None:
    """CoreDNS first, then the others, their objects and the user's own charts with them."""
    own = {"repository": "https://charts.example.com", "chart": "tool", "version": "1.2.3", "namespace": "tools"}
    program = registered({"addons.kueue": {}, "addons.cloudwatch-observability": {}, "addons.charts": {"mine": own}})
    cluster, dns = cluster_of(program).urn, program.one(EKS_ADDON, "coredns").urn
    assert cluster in before(program, dns)
    late = [program.one(RELEASE, name) for name in ("nvidia-device-plugin", "efa-device-plugin", "kueue", "mine")]
    queues = [each for each in program.all if ":ClusterQueue" in each.type]
    assert queues
    for each in (*late, *queues, program.one(EKS_ADDON, "cloudwatch-observability")):
        assert {cluster, dns} <= before(program, each.urn), each.name


def test_the_tracking_server_waits_for_no_node() -> None:
    """Nor does HyperPod wait for it; pods get their role when Pod Identity's agent is there."""
    program = registered({"hyperpod.mlflow": {}})
    server = program.one("aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer", "mlflow").urn
    cluster = cluster_of(program).urn
    assert cluster not in before(program, server)
    assert server not in before(program, cluster)
    association = program.one("aws:eks/podIdentityAssociation:PodIdentityAssociation", "mlflow-pods").urn
    assert program.one(EKS_ADDON, "eks-pod-identity-agent").urn in before(program, association)
    account = program.one("kubernetes:core/v1:ServiceAccount", "default-mlflow")
    assert account.inputs["metadata"] == {"name": "mlflow", "namespace": "default"}
