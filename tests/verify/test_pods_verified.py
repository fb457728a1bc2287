"""What is said of pods that use EFA on a cluster."""

import pytest

from muster.finding import Level
from tests.verify.cluster_edits import EFA, INFINIBAND, A, M, on_two_nodes
from tests.verify.clusters import Json, a_cluster, a_worker


def test_a_job_on_two_nodes_without_its_efa_is_mandatory() -> None:
    """Alone on its node it may do without."""
    cluster = a_cluster({"groups.workers.nodes": 2}, {"workers": 2})
    on_two_nodes(cluster)
    (found,) = cluster.verify().findings
    assert (found.rule, found.level) == ("efa-pod-asks-for-all", M)
    for pod in cluster.pods[-2:]:
        del pod["spec"]["containers"][0]["resources"]["limits"][EFA]
    (found,) = cluster.verify().findings
    assert found.level is M


DEPLOYMENT = {"ownerReferences": [{"kind": "ReplicaSet", "name": "server-5d9", "controller": True}], "labels": {}}
LWS = "leaderworkerset.sigs.k8s.io"


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        (DEPLOYMENT, DEPLOYMENT, A),
        ({"labels": {}}, {"labels": {}}, A),
        (
            {"labels": {f"{LWS}/name": "lws", f"{LWS}/group-index": "0"}},
            {"labels": {f"{LWS}/name": "lws", f"{LWS}/group-index": "1"}},
            A,
        ),
        (
            {"labels": {f"{LWS}/name": "lws", f"{LWS}/group-index": "0"}},
            {"labels": {f"{LWS}/name": "lws", f"{LWS}/group-index": "0"}},
            M,
        ),
        ({"labels": {"ray.io/cluster": "ray"}}, {"labels": {"ray.io/cluster": "ray"}}, M),
    ],
    ids=["a Deployment's", "pods of their own", "two groups", "one group", "one cluster"],
)
def test_pods_are_one_job_where_a_label_says_so(one: Json, other: Json, level: Level) -> None:
    """Two replicas that have a node each need no EFA: each may be whole in itself."""
    cluster = a_cluster({"groups.workers.nodes": 2}, {"workers": 2})
    for number, metadata in enumerate((one, other)):
        pod = a_worker(f"pod-{number}", f"workers-{number}", efa=0)
        pod["metadata"] |= metadata
        cluster.add(pod)
    (found,) = cluster.verify().findings
    assert (found.rule, found.level) == ("efa-pod-asks-for-all", level)


def test_pods_that_use_efa_as_they_should_are_no_finding() -> None:
    """Nor what has ended, and what uses no device."""
    cluster = a_cluster()
    ended = a_worker("ended", efa=0)
    ended["status"]["phase"] = "Succeeded"
    system = a_worker("system", gpus=0, efa=0, **INFINIBAND)
    cluster.pods += [a_worker(env={"FI_PROVIDER": "efa", "NCCL_NET": "AWS Libfabric"}), ended, system]
    assert cluster.verify().findings == ()


def test_a_pod_with_efa_and_no_huge_pages_is_told() -> None:
    """As advice: libfabric runs without, more slowly."""
    cluster = a_cluster()
    pod = a_worker()
    del pod["spec"]["containers"][0]["resources"]["limits"]["hugepages-2Mi"]
    cluster.add(pod)
    (found,) = cluster.verify().findings
    assert (found.rule, found.level) == ("efa-pod-huge-pages", A)
