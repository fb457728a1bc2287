"""Kueue, as the description's add-on installs it: its configuration, its objects, and its Workloads of a job."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from muster.addons.catalogue import kueue
from muster.addons.context import AddonContext
from muster.addons.installation_order import install_order
from muster.addons.values import values_of
from muster.blueprint.cluster import Blueprint
from muster.jobs.job_metadata import DEFAULT_NAMESPACE
from muster.jobs.pod_roles import JobRoles
from muster.plain_data import value_at
from muster.rehearsal.kubernetes.client import Client, JsonObject
from muster.rehearsal.kubernetes.operators import KUEUE
from muster.rehearsal.kubernetes.rehearsed_kinds import is_rehearsed
from muster.rehearsal.machine_limits import RehearsalError

VERSIONS = ("kueue.x-k8s.io/v1beta1", KUEUE.api_version)
API = f"/apis/{KUEUE.api_version}"
"""Where the API server has its objects."""

_DEFAULT_QUEUE = "default"
"""The LocalQueue of jobs without a queue (`jobframework.ApplyDefaultLocalQueue`)."""

_DECIDES = frozenset(
    (
        *("apiVersion", "kind", "admissionFairSharing", "controller", "fairSharing", "featureGates", "integrations"),
        *("manageJobsWithoutQueueName", "managedJobsNamespaceSelector", "namespace", "objectRetentionPolicies"),
        *("resources", "waitForPodsReady"),
    )
)
"""The keys of its configuration that decide about jobs. Others name addresses to serve on, clusters and files."""
_GATES = {"VisibilityOnDemand": False, "UnadmittedWorkloadsObservability": True}
"""The server of the first would listen on all addresses. The second gives conditions of Workloads their exact reasons,
and decides nothing (`pkg/features/kube_features.go` at 0.19.2)."""


def is_of_kueue(thing: JsonObject) -> bool:
    """Whether an object is one that a rehearsal creates with Kueue."""
    return thing.get("apiVersion") in VERSIONS and is_rehearsed(thing)


def runs_on(blueprint: Blueprint, beside: Iterable[JsonObject]) -> bool:
    """Whether Kueue is on the cluster, with known queues: by its add-on, or by the job's file, which has objects of
    it."""
    return kueue.ADDON.name in blueprint.described.addons.chosen or any(map(is_of_kueue, beside))


def queue_of(shape: JobRoles, objects: Iterable[JsonObject]) -> str | None:
    """The LocalQueue of a job: the queue that it sets, or the default queue of its namespace."""
    queues = (each["metadata"] for each in objects if is_of_kueue(each) and each["kind"] == "LocalQueue")
    default = {"name": _DEFAULT_QUEUE, "namespace": shape.namespace}
    has_default = any({"namespace": DEFAULT_NAMESPACE, **each}.items() >= default.items() for each in queues)
    return shape.queue or (_DEFAULT_QUEUE if has_default else None)


def configuration(blueprint: Blueprint) -> JsonObject:
    """The configuration that the add-on gives Kueue, or would give if it is not in the description.

    Raises:
        RehearsalError: the description's values contain no configuration that Kueue can read.
    """
    context = AddonContext.of_blueprint(blueprint)
    text = kueue.configuration(context)
    if kueue.ADDON.name in context.chosen:
        text = value_at(values_of(kueue.ADDON, context), "managerConfig", "controllerManagerConfigYaml")
    try:
        given: Any = yaml.safe_load(text)
        gates = {**(given.get("featureGates") or {}), **_GATES}
    except (yaml.YAMLError, AttributeError, TypeError):
        raise RehearsalError(
            "addons.kueue.values: managerConfig.controllerManagerConfigYaml is not the YAML of a configuration of Kueue"
        ) from None
    kept = {key: value for key, value in given.items() if key in _DECIDES}
    return {**kept, "featureGates": gates}


def queue_objects(blueprint: Blueprint, beside: Iterable[JsonObject] = ()) -> tuple[JsonObject, ...]:
    """The cluster's objects of Kueue, and the namespaces. An object of the job's file replaces the cluster's.

    Args:
        blueprint: the cluster.
        beside: the other objects of the job's file.
    """
    context = AddonContext.of_blueprint(blueprint)
    own = (each for turn in install_order(context) for each in turn.addon.objects(context))
    found = {}
    for each in (*own, *beside):
        metadata = each.get("metadata") or {}
        if is_of_kueue(each) or (each["apiVersion"], each["kind"]) == ("v1", "Namespace"):
            found[each["kind"], metadata.get("namespace", "default"), metadata.get("name")] = each
    return tuple(found.values())


def queues_are_ready(client: Client) -> bool:
    """Whether Kueue has processed every queue: each has some condition."""
    queues = (each for kind in ("clusterqueues", "localqueues") for each in client.items(f"{API}/{kind}"))
    return all(each.get("status", {}).get("conditions") for each in queues)


_GATES_OF_PODS = "kueue.x-k8s.io/"
"""The prefix of its scheduling gates: `admission`, and `topology` until a pod of an admitted job has its node."""
_UNDECIDED = frozenset(("PendingEvaluation", "WaitingForPodsReady", "WaitingForPreemptedWorkloads"))
"""Reasons of the condition QuotaReserved (`apis/kueue/v1beta2/workload_types.go`)."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a Workload."""

    true: bool
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Workload:
    """A Workload as it was last seen."""

    name: str
    queue: str
    """Its LocalQueue."""
    cluster_queue: str
    """The ClusterQueue that has admitted it; empty if none has."""
    flavors: tuple[str, ...]
    """The ResourceFlavors of its pods, once it is admitted."""
    owners: tuple[str, ...]
    """The uids of the objects that own it."""
    conditions: Mapping[str, Condition]

    @property
    def admitted(self) -> bool:
        """Whether Kueue has admitted it."""
        condition = self.conditions.get("Admitted")
        return condition is not None and condition.true

    @property
    def kept_out(self) -> Condition | None:
        """The condition with the reason why it has no quota, or is not admitted with it; None until Kueue sets one."""
        quota, admitted = self.conditions.get("QuotaReserved"), self.conditions.get("Admitted")
        if quota is not None and not quota.true:
            return quota
        return admitted if admitted is not None and not admitted.true else None

    @property
    def undecided(self) -> bool:
        """Whether Kueue states that it will decide again without a change by others."""
        return self.kept_out is not None and self.kept_out.reason in _UNDECIDED


def cluster_queue_of(client: Client, namespace: str, name: str) -> str:
    """The ClusterQueue of a LocalQueue; empty if there is no such LocalQueue."""
    queues = client.items(f"{API}/namespaces/{namespace}/localqueues")
    return next((str(each["spec"].get("clusterQueue", "")) for each in queues if each["metadata"]["name"] == name), "")


def workloads_of(client: Client, namespace: str, owners: Collection[str]) -> tuple[Workload, ...]:
    """The Workloads that one of these objects owns.

    Args:
        client: of the control plane.
        namespace: the job's.
        owners: uids of the job and of its pods.
    """
    every = map(_workload, client.items(f"{API}/namespaces/{namespace}/workloads"))
    return tuple(each for each in every if set(owners) & set(each.owners))


def _workload(seen: JsonObject) -> Workload:
    meta, status = seen["metadata"], seen.get("status") or {}
    admission = status.get("admission") or {}
    flavors = (
        flavor for pods in admission.get("podSetAssignments") or () for flavor in (pods.get("flavors") or {}).values()
    )
    return Workload(
        meta["name"],
        str(seen["spec"].get("queueName", "")),
        str(admission.get("clusterQueue", "")),
        tuple(sorted(set(flavors))),
        tuple(each["uid"] for each in meta.get("ownerReferences") or ()),
        {
            each["type"]: Condition(each["status"] == "True", each.get("reason", ""), each.get("message", ""))
            for each in status.get("conditions") or ()
        },
    )


def is_gated(spec: Mapping[str, Any]) -> bool:
    """Whether a pod waits for Kueue."""
    return any(str(each.get("name")).startswith(_GATES_OF_PODS) for each in spec.get("schedulingGates") or ())
