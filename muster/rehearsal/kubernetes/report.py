"""The report of a rehearsal on Kubernetes: nodes, pods, simulated parts, and notes for its reader."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.jobs.pod_roles import BY_DEFAULT_SCHEDULER, Controller
from muster.rehearsal.kubernetes import hyperpod, karpenter
from muster.rehearsal.kubernetes.addons import addons_that_run
from muster.rehearsal.kubernetes.job_prerequisites import missing_prerequisites
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.nodes import NETWORK_NODE
from muster.rehearsal.kubernetes.pending_pods import JobResumer, dns_pending
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.kubernetes.ultraserver_nodes import assumption_notes, straddling_notes, ultraserver_of
from muster.rehearsal.outcome import (
    Moment,
    NodeReport,
    Outcome,
    PodReport,
    PodState,
    Program,
    SimulatedPart,
    Verdict,
    Waiting,
    pods_not_created,
)


@dataclass(frozen=True, slots=True)
class Report:
    """What is known once a job has settled."""

    request: RehearsalRequest
    cluster: PlannedCluster
    job: JobRun
    sent: bool
    """Whether the job was submitted."""

    def outcome(
        self, waiting: tuple[Waiting, ...], beside: Iterable[SimulatedPart], moments: Iterable[Moment]
    ) -> Outcome:
        """All of it.

        Args:
            waiting: the pods that wait.
            beside: the simulated ones among the objects that were created before the job.
            moments: the events, in any order.
        """
        request, job = self.request, self.job
        starts = self.sent and job.goes_on() and not job.refusal
        pods = tuple(self._pods())
        return Outcome(
            stack=request.blueprint.stack,
            job=job.shape.name,
            kind=job.shape.kind,
            kubernetes=job.plane.version,
            programs=tuple(Program(name, each.version, each.source) for name, each in job.plane.binaries.items()),
            verdict=Verdict.STARTS if starts else Verdict.DOES_NOT_START,
            nodes=tuple(self._nodes()),
            pods=pods,
            waiting=waiting,
            requests_at=request.requests_at,
            simulated_parts=(*self._simulated_parts(), *beside, *job.simulated_parts),
            # Pods that run and nodes that join have the time at which this began, and are added later.
            moments=tuple(sorted(moments, key=lambda each: each.seconds)),
            notes=tuple(self._notes(pods)),
            if_exist=tuple(
                missing_prerequisites(job.shape, request.beside, hyperpod.team_namespaces(request.blueprint))
            ),
        )

    def _nodes(self) -> Iterator[NodeReport]:
        """Every node, with the job's pods that run there."""
        on: dict[str, list[str]] = {}
        for pod in self.job.now:
            if pod.node and pod.running:
                on.setdefault(pod.node, []).append(pod.name)
        live = {node.name: node for node in self.cluster.live()}
        for planned in self.cluster.nodes:
            if node := live.get(planned.name):
                pods, rack = tuple(on.get(node.name, ())), ultraserver_of(planned.manifest["metadata"]["labels"])
                yield NodeReport(node.name, node.group, node.instance, planned.zone, node.amounts, pods, rack)

    def _pods(self) -> Iterator[PodReport]:
        """Every pod of the job, including those that were not created."""
        pods = self.job.now
        for pod in pods:
            state = PodState.RUNNING if pod.running else PodState.WAITING
            yield PodReport(pod.name, self.job.role_of(pod), state, pod.node)
        for role, missing in self.job.missing(pods):
            yield from pods_not_created(self.job.shape.name, role.name, missing)

    def _simulated_parts(self) -> Iterator[SimulatedPart]:
        yield from self.cluster.simulated_parts
        yield from karpenter.simulated_karpenter(self.request.blueprint)
        if nodes := [node for node in self.cluster.nodes if hyperpod.has_checks(node)]:
            yield hyperpod.simulated_checks(nodes)
        if self.job.shape.controller is Controller.REHEARSAL:
            yield SimulatedPart(
                self.job.shape.runs_by,
                "the rehearsal creates exactly the pods that it would create",
                "rehearsals do not run this controller",
            )

    def _notes(self, pods: Iterable[PodReport]) -> Iterator[str]:
        """Notes for the reader of the report, besides the verdict."""
        request, shape, blueprint = self.request, self.job.shape, self.request.blueprint
        yield from request.notes
        yield from shape.notes
        yield from self._other_schedulers()
        wanted, ran = blueprint.described.kubernetes, self.job.plane.version
        if wanted != ran:
            yield f"the stack uses Kubernetes {wanted}, but the rehearsal ran with the installed version, {ran}"
        if shape.controller is not Controller.KUBERNETES and not addons_that_run(shape.api_version, shape.kind):
            what = f"{shape.kind}s ({shape.api_version})"
            yield f"no add-on of Muster runs {what}: they start only on a cluster with {shape.runs_by}"
        yield from self.cluster.installed.notes
        yield from self._operators()
        yield from self._queues()
        yield from assumption_notes(blueprint)
        if NETWORK_NODE in json.dumps((request.job, request.beside)):
            yield (
                "the rehearsal assumes that the nodes of a reservation, or of a group in a zone, are under the same "
                "network nodes of EC2, which shows them only once an instance runs"
            )
        labels = {each.name: each.manifest["metadata"]["labels"] for each in self.cluster.nodes}
        yield from straddling_notes(pods, labels)
        yield from filter(None, (dns_pending(self.cluster),))

    def _other_schedulers(self) -> Iterator[str]:
        """A note for each scheduler that the job's pods request and that does not run."""
        for name in self.job.shape.schedulers:
            if name in self.request.schedulers:
                continue
            if self.job.shape.controller in BY_DEFAULT_SCHEDULER:
                yield f"the default scheduler replaces '{name}' in the rehearsal"
            else:
                yield f"pods request the scheduler '{name}', which rehearsals do not run: these pods will wait"

    def _operators(self) -> Iterator[str]:
        """A note for each of the job's operators that ran in another version than the description's."""
        for operator in self.request.operators:
            version = self.job.plane.binaries[operator.binaries[0]].version.removeprefix("v")
            named = self.cluster.installed.version_of(operator.addon)
            if named and named.removeprefix("v") != version:
                yield f"the description has {operator.addon} {named}, but the rehearsal ran v{version}"

    def _queues(self) -> Iterator[str]:
        """What Kueue has done with a job that has a queue."""
        job, shape = self.job, self.job.shape
        admitted = (each for each in job.workloads if each.admitted)
        for queue, flavors in dict.fromkeys((each.cluster_queue, each.flavors) for each in admitted):
            listed = f", flavors {', '.join(flavors)}" if flavors else ""
            yield f"Kueue admitted the job to ClusterQueue {queue}{listed}"
        if not (shape.queue and self.sent) or job.refusal or job.workloads or job.gated:
            return
        if self.request.resumer is JobResumer.GOVERNANCE:
            yield (
                "the rehearsal does not know the queues of HyperPod's task governance: it runs the job as if admitted"
            )
        elif not job.plane.runs_kueue:
            yield f"the job's queue '{shape.queue}' has no effect: neither the description nor the file has Kueue"
        elif shape.controller is Controller.REHEARSAL:
            yield (
                f"the rehearsal does not run {shape.runs_by}, so Kueue cannot admit the {shape.kind}: quota is not "
                "checked"
            )
        else:
            what = f"Kueue created no Workload for the {shape.kind}"
            yield f"{what}: it runs without a quota, and its label has no effect"
