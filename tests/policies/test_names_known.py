"""What rules know by its name: each name counts by itself, and no longer one does.

The names stand here as their makers write them, each list with where it comes from. A rule's own list is never asked.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from muster.fleet.resources import Fleet, Mount, Taint
from muster.policies.engine.catalogue import rule_of
from muster.policies.engine.judgement import judge
from tests.factories import a_fleet
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.addons import an_addon
from tests.policies.cases.pods import GPU, on_p5
from tests.policies.cases.security.pods import FILES, PRIVILEGED, SPACES
from tests.policies.pods import asking
from tests.policies.security import PRIVATE, ROOT, bucket, grant, mount, pods
from tests.slurms import APPS, a_head, a_pcluster, a_queue, a_resource, a_script, a_slurm_fleet


class Names(NamedTuple):
    """Names that are enough for a rule to say something."""

    rule: str
    fleet: Callable[[str], Fleet]
    names: tuple[str, ...]
    longer: str = "{}s"
    """What is no such name any more."""


def _mounted(at: str) -> Fleet:
    return a_slurm_fleet(a_pcluster(mounts=(APPS, Mount("data", at, "Efs"))))


def _sharing(what: str) -> Fleet:
    return a_fleet(pods(**{what: True}))


def _capable(of: str) -> Fleet:
    return a_fleet(pods(container={"securityContext": {"capabilities": {"add": [of]}}}))


def _in_its_set(thing: Callable[..., Any], **more: Any) -> Callable[[str], Fleet]:
    return lambda key: a_slurm_fleet(thing(slurm_settings=frozenset({key}), **more))


def _labelled(key: str) -> Fleet:
    return a_hyperpod_fleet(an_instance_group(labels=frozenset({(key, "x")})))


def _tainted(key: str) -> Fleet:
    return a_hyperpod_fleet(an_instance_group(taints=frozenset({Taint(key, "x", "NoSchedule")})))


def _chart_on_hyperpod(chart: str) -> Fleet:
    return a_hyperpod_fleet(an_addon(chart, name="cni"))


def _twice(chart: str) -> Fleet:
    return a_fleet(an_addon(chart), an_addon(chart, name="again"))


def _across_nodes(kind: str) -> Fleet:
    return on_p5(asking({GPU: 8}), kind=kind)


SLURM = "parallelcluster-slurm-settings-allowed"

KNOWN = [
    Names(  # aws-parallelcluster 3.16.1, SharedStorageMountDirValidator
        "parallelcluster-mount-dir-usable",
        _mounted,
        (
            *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/media", "/mnt", "/opt", "/proc", "/root", "/run"),
            *("/sbin", "/srv", "/sys", "/tmp", "/usr", "/var", "NONE"),
            *("/opt/parallelcluster", "/opt/parallelcluster/shared", "/opt/parallelcluster/shared_login_nodes"),
            *("/opt/slurm", "/opt/intel"),
        ),
    ),
    Names(  # aws-parallelcluster 3.16.1, SLURM_SETTINGS_DENY_LIST; Slurm does not mind how settings are capitalised
        SLURM,
        _in_its_set(a_pcluster),
        (
            *("Epilog", "GresTypes", "LaunchParameters", "Prolog", "ReconfigFlags", "ResumeFailProgram"),
            *("ResumeProgram", "ResumeTimeout", "SlurmctldHost", "SlurmctldLogFile", "SlurmctldParameters"),
            *("SlurmdLogFile", "SlurmUser", "SuspendExcNodes", "SuspendProgram", "SuspendTime", "TaskPlugin"),
            "TreeWidth",
        ),
    ),
    Names(
        SLURM,
        _in_its_set(a_pcluster, accounting=True),
        (
            *("AccountingStorageType", "AccountingStorageHost", "AccountingStoragePort", "AccountingStorageUser"),
            "JobAcctGatherType",
        ),
    ),
    Names(
        SLURM,
        _in_its_set(a_queue),
        ("Nodes", "PartitionName", "ResumeTimeout", "State", "SuspendTime", "OverSubscribe"),
    ),
    Names(
        SLURM,
        _in_its_set(a_resource),
        ("CPUs", "Gres", "NodeAddr", "NodeHostname", "NodeName", "State", "Weight"),
    ),
    Names(  # Kubernetes, Pod Security Standards, and where containerd, Docker and the kubelet keep what is theirs
        FILES,
        lambda path: a_fleet(pods(volumes=mount(path))),
        (
            *("/etc", "/root", "/boot", "/proc", "/run/containerd", "/var/run/containerd", "/var/run/docker.sock"),
            *("/run/docker.sock", "/var/lib/kubelet", "/var/lib/containerd"),
        ),
    ),
    Names(  # S3 user guide, Canned ACL: those that grant something to AllUsers or AuthenticatedUsers
        PRIVATE,
        lambda acl: a_fleet(bucket(acl=acl)),
        ("public-read", "public-read-write", "authenticated-read"),
    ),
    Names(SPACES, _sharing, ("hostIPC", "hostNetwork", "hostPID")),
    Names(PRIVILEGED, _capable, ("ALL", "SYS_ADMIN")),
    Names(  # Kubernetes, RBAC Good Practices; Authenticating: groups of everybody
        "cluster-admin-named",
        lambda who: a_fleet(grant(frozenset({who}))),
        ("system:anonymous", "system:authenticated", "system:serviceaccounts", "system:unauthenticated"),
        "ml-{}",
    ),
    Names("cluster-admin-named", lambda who: a_fleet(grant(frozenset({who}))), ("*", "arn:aws:iam::*"), "ml"),
    Names(  # Kubernetes, Well-Known Labels; EKS API, CreateNodegroup; SageMaker guide, resiliency node labels
        "hyperpod-labels-not-reserved",
        _labelled,
        ("sagemaker.amazonaws.com/x", "eks.amazonaws.com/x", "kubernetes.io/x", "k8s.io/x"),
        "not{}",
    ),
    Names(  # the kubelet's own, of a prefix that is open otherwise
        "hyperpod-labels-not-reserved",
        _labelled,
        ("node.kubernetes.io/instance-type", "node.kubernetes.io/windows-build"),
    ),
    Names(  # kubelet --node-labels opens these prefixes; for taints nothing does
        "hyperpod-labels-not-reserved",
        _tainted,
        ("node.kubernetes.io/x", "kubelet.kubernetes.io/x"),
        "{}.example.com/x",
    ),
    Names(
        "hyperpod-one-cni",
        _chart_on_hyperpod,
        ("antrea", "calico", "cilium", "flannel", "kube-ovn", "tigera-operator"),
    ),
    Names(
        "operator-installed-once",
        _twice,
        (
            *("cert-manager", "gpu-operator", "hyperpod-helm-chart", "kubeflow-trainer", "kuberay-operator"),
            *("metrics-server", "volcano"),
        ),
    ),
    Names(
        "whole-node-asks-all-efa",
        _across_nodes,
        ("JobSet", "LeaderWorkerSet", "MPIJob", "PyTorchJob", "TFJob", "TrainJob", "XGBoostJob"),
    ),
]


def _found(rule: str, fleet: Fleet) -> int:
    return len(judge(fleet, rules=[rule_of(rule)]).findings)


def _verdicts(rule: str, fleet: Fleet) -> int:
    judgement = judge(fleet, rules=[rule_of(rule)])
    return len(judgement.findings) + len(judgement.not_evaluated)


SPARED = [
    Names(  # DaemonSets as the charts and manifests of their makers call them
        PRIVILEGED,
        lambda name: a_fleet(pods("DaemonSet", name, container=ROOT)),
        (
            *("aws-node", "kube-proxy", "eks-pod-identity-agent", "eks-node-monitoring-agent", "node-local-dns"),
            *("ebs-csi-node", "ebs-csi-node-windows", "efs-csi-node", "fsx-csi-node", "s3-csi-node"),
            *("nvidia-device-plugin-daemonset", "nvidia-driver-daemonset", "nvidia-container-toolkit-daemonset"),
            *("nvidia-dcgm", "nvidia-dcgm-exporter", "nvidia-operator-validator", "nvidia-mig-manager"),
            *("nvidia-dra-driver-gpu-kubelet-plugin", "nvidia-node-status-exporter", "gpu-feature-discovery"),
            *("neuron-device-plugin", "neuron-dra-driver-kubelet-plugin", "neuron-monitor"),
            *("neuron-node-problem-detector", "dcgm-exporter", "node-feature-discovery-worker"),
            *("cilium", "cilium-envoy", "calico-node", "datadog", "monitoring-datadog", "falco"),
            *("cloudwatch-agent", "fluent-bit", "node-exporter", "prometheus-node-exporter"),
            "health-monitoring-agent",
        ),
        "x{}x",
    ),
    Names(PRIVILEGED, lambda name: a_fleet(pods("DaemonSet", name, container=ROOT)), ("aws-dranet-node",), "dra-net"),
    Names(
        FILES,
        lambda path: a_fleet(pods(volumes=mount(path))),
        ("/etc/localtime", "/etc/timezone", "/etc/os-release", "/etc/machine-id"),
    ),
    Names(  # AWS's managed policies that let one read every bucket
        "parallelcluster-scripts-readable",
        lambda policy: a_slurm_fleet(
            a_head(scripts=a_script("s3://ours/x.sh"), policies=frozenset({f"arn:aws:iam::aws:policy/{policy}"}))
        ),
        ("AmazonS3ReadOnlyAccess", "AmazonS3FullAccess", "AdministratorAccess", "ReadOnlyAccess", "PowerUserAccess"),
    ),
    Names(  # kubelet --node-labels: these prefixes are open
        "hyperpod-labels-not-reserved",
        _labelled,
        ("node.kubernetes.io/x", "kubelet.kubernetes.io/x"),
        "of-{}",
    ),
]
"""The other way round: by these names a rule lets something be."""


def test_a_name_is_known() -> None:
    """The rule says something of it, and nothing of one that only begins, or ends, like it."""
    for known in KNOWN:
        for name in known.names:
            assert _found(known.rule, known.fleet(name)) == 1, (known.rule, name)
            assert _found(known.rule, known.fleet(known.longer.format(name))) == 0, (known.rule, name)


def test_a_name_spares() -> None:
    """The rule says nothing of it, and something, or that it cannot tell, of one that only looks like it."""
    for known in SPARED:
        for name in known.names:
            assert _verdicts(known.rule, known.fleet(name)) == 0, (known.rule, name)
            assert _verdicts(known.rule, known.fleet(known.longer.format(name))) == 1, (known.rule, name)


# S3 user guide, Canned ACL
@pytest.mark.parametrize(
    "acl", ["private", "aws-exec-read", "bucket-owner-read", "bucket-owner-full-control", "log-delivery-write"]
)
def test_an_access_list_that_is_not_public(acl: str) -> None:
    """It names an owner, or a service."""
    assert _verdicts(PRIVATE, a_fleet(bucket(acl=acl))) == 0
