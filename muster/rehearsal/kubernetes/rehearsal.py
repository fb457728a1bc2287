"""The rehearsal on Kubernetes: control plane, cluster, job, verdict, drills, and the report of all of them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from muster.blueprint.hyperpod.node_labels import CHECKS_TAKE
from muster.blueprint.kubernetes import Blueprint
from muster.jobs.kinds import train_job
from muster.jobs.pod_roles import BY_DEFAULT_SCHEDULER, Controller, JobRoles
from muster.message_text import list_names
from muster.rehearsal import machine_limits
from muster.rehearsal.kubernetes import drills, hyperpod, karpenter, kueue, resource_claims
from muster.rehearsal.kubernetes.addons import InstalledAddons, addon_values, addons_that_run
from muster.rehearsal.kubernetes.causes import DEEP_HEALTH_CHECKS, endless_checks
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.components import QUOTAS
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_prerequisites import (
    ObjectRejected,
    create_prerequisites,
    create_queues,
    missing_prerequisites,
    queue_objects,
)
from muster.rehearsal.kubernetes.job_run import JobPods, JobRun, as_rehearsed
from muster.rehearsal.kubernetes.nodes import PlannedNode, planned_nodes
from muster.rehearsal.kubernetes.operators import (
    KUBERAY,
    KUEUE,
    SCHEDULERS,
    VOLCANO,
    Operator,
    batch_scheduler,
    operator_of,
    operators_for,
)
from muster.rehearsal.kubernetes.pending_pods import (
    OPERATOR_WAITS,
    JobResumer,
    dns_pending,
    missing_operator,
    no_pods_cause,
    pending_pods,
    pods_without_node,
    resume_job,
)
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.kubernetes.resource_claims import ClaimReference
from muster.rehearsal.kubernetes.ultraserver_nodes import assumption_notes, straddling_notes
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError
from muster.rehearsal.outcome import (
    Drill,
    GroupedCause,
    Moment,
    NodeReport,
    Outcome,
    PodReport,
    PodState,
    Program,
    SimulatedPart,
    Tone,
    Verdict,
    Waiting,
    count_by_group,
    group_causes,
)
from muster.rehearsal.progress import Progress, SilentProgress
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on

if TYPE_CHECKING:
    from muster.addons.charts import Charts


def report_nodes(cluster: PlannedCluster, job: JobRun) -> tuple[NodeReport, ...]:
    """Every node, with the job's pods that run there."""
    on: dict[str, list[str]] = {}
    for pod in job.now:
        if pod.node and pod.running:
            on.setdefault(pod.node, []).append(pod.name)
    zones = {node.name: node.zone for node in cluster.nodes}
    seen = {
        node.name: NodeReport(
            node.name,
            node.group,
            node.instance,
            zones[node.name],
            node.amounts,
            tuple(on.get(node.name, ())),
        )
        for node in cluster.live()
    }
    return tuple(seen[node.name] for node in cluster.nodes if node.name in seen)


def report_pods(job: JobRun) -> tuple[PodReport, ...]:
    """Every pod of the job, including those that were not created."""
    there = tuple(
        PodReport(
            pod.name,
            job.role_of(pod),
            PodState.RUNNING if pod.running else PodState.WAITING,
            pod.node,
            pod.asks,
        )
        for pod in job.now
    )
    never = tuple(
        PodReport(f"{job.shape.name} ({role.name} {number + 1})", role.name, PodState.NOT_CREATED, None, {})
        for role, missing in job.missing()
        for number in range(missing)
    )
    return (*there, *never)


def simulated_controller(shape: JobRoles) -> Iterator[SimulatedPart]:
    """The entry of a job's controller that is simulated."""
    if shape.controller is Controller.REHEARSAL:
        yield SimulatedPart(
            shape.runs_by,
            "the rehearsal creates exactly the pods that it would create",
            "rehearsals do not run this controller",
        )


def _other_schedulers(shape: JobRoles, schedulers: Collection[str]) -> Iterator[str]:
    """A note for each scheduler that the job's pods request and that does not run."""
    for name in shape.schedulers:
        if name in schedulers:
            continue
        if shape.controller in BY_DEFAULT_SCHEDULER:
            yield f"the default scheduler replaces '{name}' in the rehearsal"
        else:
            yield f"pods request the scheduler '{name}', which rehearsals do not run: these pods will wait"


def operator_notes(request: RehearsalRequest, plane: ControlPlane, installed: InstalledAddons) -> Iterator[str]:
    """A note for each of the job's operators that ran in another version than the description's."""
    for operator in job_operators(request):
        version = plane.binaries[operator.binaries[0]].version.removeprefix("v")
        named = installed.version_of(operator.addon)
        if named and named.removeprefix("v") != version:
            yield (
                f"the description has {operator.addon} {named}, but the rehearsal ran the installed version, v{version}"
            )


def merge_simulated_parts(simulated_parts: Iterable[SimulatedPart]) -> tuple[SimulatedPart, ...]:
    """One entry for each name, with the joined texts of `simulated_by`."""
    found: dict[str, SimulatedPart] = {}
    for each in simulated_parts:
        known = found.setdefault(each.name, each)
        if each.simulated_by not in known.simulated_by.split("; "):
            found[each.name] = replace(known, simulated_by=f"{known.simulated_by}; {each.simulated_by}")
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class RehearsalRequest:
    """The inputs of a rehearsal."""

    blueprint: Blueprint
    job: JsonObject
    """The job's manifest."""
    shape: JobRoles
    beside: tuple[JsonObject, ...] = ()
    """Objects that are submitted with it: claims, configuration, queues."""
    charts: Charts | None = None
    lost: int = 0
    """How many nodes are lost after the job has started."""
    notes: tuple[str, ...] = ()
    objects_at: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Kind and name of an object of the user's file -> its place; empty for a job of Muster."""
    requests_at: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Role and resource -> the place of the request in the user's file; empty for a job of Muster."""


def job_kinds(request: RehearsalRequest) -> tuple[str, ...]:
    """The job's kind, if an operator runs it."""
    return (request.shape.kind,) if operator_of(request.shape.controller) else ()


def job_schedulers(request: RehearsalRequest) -> tuple[str, ...]:
    """The schedulers of the job's pods besides the default one: those that they request, and the one that an operator
    sets, if an add-on of the description installs it."""
    names = list(request.shape.schedulers)
    if request.shape.controller is Controller.VOLCANO:
        names.append(VOLCANO.scheduler)
    if request.shape.controller is Controller.KUBERAY:
        names.append(batch_scheduler(addon_values(request.blueprint).get(KUBERAY.addon, {})))
    chosen = request.blueprint.described.addons.chosen
    return tuple(dict.fromkeys(name for name in names if name in SCHEDULERS and SCHEDULERS[name].addon in chosen))


def job_operators(request: RehearsalRequest) -> tuple[Operator, ...]:
    """The operators that run for the job, and Kueue if the cluster or the job's file has it."""
    found = tuple(operators_for(job_kinds(request), job_schedulers(request)))
    return (*found, KUEUE) if kueue.runs_on(request.blueprint, request.beside) else found


@machine_limits.exhausted_here()
def rehearse(request: RehearsalRequest, progress: Progress | None = None) -> Outcome:
    """Starts a control plane, rehearses the job on it, and stops it.

    Raises:
        RehearsalError: the rehearsal cannot continue, for a reason outside the job.
    """
    progress = progress or SilentProgress()
    began = time.perf_counter()
    nodes = planned_nodes(request.blueprint)
    drills.check_loss(request.lost, nodes)
    kubernetes = request.blueprint.described.kubernetes
    progress.status("starting the control plane ...")
    quotas = request.charts is not None or any(each["kind"] == "ResourceQuota" for each in request.beside)
    more = ((QUOTAS,) if quotas else ()) + ((resource_claims.CONTROLLER,) if _has_claims(request, nodes) else ())
    with ControlPlane(
        kubernetes=kubernetes,
        jobs=job_kinds(request),
        schedulers=job_schedulers(request),
        values=addon_values(request.blueprint),
        controllers=more,
        kueue=kueue.configuration(request.blueprint) if kueue.runs_on(request.blueprint, request.beside) else None,
        progress=progress,
    ) as plane:
        outcome = _Rehearsal(plane, request, progress).run()
        progress.status("")
        memory = sum(plane.memory_mib().values())
    return replace(outcome, seconds=round(time.perf_counter() - began, 2), peak_memory_mib=memory)


def _has_claims(request: RehearsalRequest, nodes: Iterable[PlannedNode]) -> bool:
    """Whether pods may have claims for devices."""
    return bool(_claims(request)) or any(node.published for node in nodes)


def _claims(request: RehearsalRequest) -> frozenset[ClaimReference]:
    """The resource claims and resource claim templates that the job's pods use."""
    beside = request.beside if request.shape.controller is Controller.TRAINER else ()
    return resource_claims.claim_references((request.job, *beside), request.shape.namespace)


@dataclass(slots=True)
class _Rehearsal:
    """The state of one rehearsal. Its control plane has no nodes at the start."""

    plane: ControlPlane
    request: RehearsalRequest
    progress: Progress
    moments: list[Moment] = field(default_factory=list)
    sent: bool = False
    """Whether the job was submitted."""
    reported_running: set[str] = field(default_factory=set)
    """Uids of pods whose start is in the report."""

    def run(self) -> Outcome:
        request, plane = self.request, self.plane
        cluster = PlannedCluster(plane, request.blueprint, request.charts)
        self.progress.status(f"{len(cluster.nodes)} nodes join, and their device plugins start ...")
        cluster.join()
        of_trainer = request.shape.controller is Controller.TRAINER  # runtimes have the templates of the job's pods
        of_domains = resource_claims.of_compute_domains(request.beside)
        self._check_claims(cluster)
        given = [
            self._as_sent(each) if of_trainer and each["apiVersion"] == train_job.VERSION else each
            for each in (*request.beside, *of_domains)  # the latter replace those of the file
        ]
        created = create_prerequisites(plane, request.shape.namespace, given)
        if plane.runs_kueue:
            self.progress.status("creating Kueue's queues ...")
            create_queues(plane, self._queues())
        document = self._as_sent(resume_job(request.job) if self._resumes_it() else request.job)
        job = JobRun(plane, request.shape, document, JobPods(plane.client, request.shape.namespace))
        self.progress.status(f"sending {request.shape.name} ...")
        waiting = self._send_and_wait(cluster, job)
        self.progress.status("reading the nodes ...")
        outcome = self._outcome(cluster, job, waiting, [*created, *resource_claims.claim_parts(of_domains)])
        if outcome.verdict is Verdict.STARTS and request.lost:
            self.progress.status("running the drill ...")
            drill = _drilled(request.lost, cluster, job)
            parts = merge_simulated_parts((*outcome.simulated_parts, *drill.simulated_parts))
            outcome = replace(outcome, drills=(drill,), simulated_parts=parts)
        elif request.lost:
            text = "drill skipped, because the job does not start: lose-nodes"
            outcome = replace(outcome, notes=(*outcome.notes, text))
        return outcome

    def _queues(self) -> tuple[JsonObject, ...]:
        """The queues of the description and of the job's file."""
        return queue_objects(self.request.blueprint, self.request.beside)

    def _resumer(self) -> JobResumer:
        return JobResumer.of(self.request.blueprint, self.request.beside)

    def _resumes_it(self) -> bool:
        """Whether the rehearsal resumes the job, because Kueue does not manage it here."""
        shape, resumer = self.request.shape, self._resumer()
        unseen = resumer is JobResumer.KUEUE and shape.controller is Controller.REHEARSAL
        return bool(shape.queue) and (unseen or resumer is JobResumer.GOVERNANCE)

    def _as_sent(self, document: JsonObject) -> JsonObject:
        """The job, or its runtime, as it is sent to the control plane."""
        shape = self.request.shape
        if shape.controller not in BY_DEFAULT_SCHEDULER:
            return document
        sent: JsonObject = as_rehearsed(document, job_schedulers(self.request))
        return sent

    def _send_and_wait(self, cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
        """Submits the job and returns the waiting pods. If HyperPod's deep health checks run on nodes, it ends the
        checks and returns the pods that then wait."""
        checked = cluster.checked
        if checked:
            verb = "is" if len(checked) == 1 else "are"
            where = f"{count_by_group(checked)}, which {verb} not Schedulable"
            self.moments.append(Moment(0.0, f"simulated: HyperPod's deep health checks run on {where}"))
        waiting = self._send(cluster, job)
        if checked:
            return self._end_checks(cluster, job, waiting)
        return self._create_nodes(cluster, job, waiting)

    def _create_nodes(self, cluster: PlannedCluster, job: JobRun, waiting: tuple[Waiting, ...]) -> tuple[Waiting, ...]:
        """Creates the nodes that Karpenter would create for pods that wait, until it would create none; returns the
        pods that then wait."""
        groups = {each.name: each.described.nodes.max for each in self.request.blueprint.karpenter_groups}
        creator = {each.name: each.described.node_creator for each in self.request.blueprint.karpenter_groups}
        empty = cluster.empty_nodes(groups) if groups else {}
        while groups and self.sent:
            there = cluster.by_group()
            below_limit = {name: most - there.get(name, 0) for name, most in groups.items()}
            wanted = karpenter.created_for(pods_without_node(job), empty, below_limit)
            if not wanted:
                break
            start = job.seconds  # pods may run before the last node has joined
            nodes = cluster.add_nodes(wanted)
            verb = "joins" if len(nodes) == 1 else "join"
            took = f"on a real cluster after {karpenter.NODES_TAKE}"
            creators = list_names(dict.fromkeys(creator[node.group] for node in nodes))
            text = f"simulated: {count_by_group(nodes)}, which {creators} creates for pods that wait, {verb} ({took})"
            self._add_moment(job, text, Tone.GOOD, at=start)
            job.pods.restart_quiet()
            job.settle(cluster.timeout)
            waiting = self._report_pending(cluster, job)
        return waiting

    def _send(self, cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
        """Submits the job and returns the waiting pods. A job whose pods no controller would create is not
        submitted."""
        request = self.request
        queue = kueue.queue_of(request.shape, self._queues())
        if cause := (
            no_pods_cause(request.job, request.shape, self._resumer(), queue)
            or hyperpod.unqueued_cause(request.blueprint, request.shape.namespace, queue)
            or missing_operator(cluster, job, {each.addon for each in job_operators(request)})
            or resource_claims.missing_claims_cause(_claims(request), request.beside)
        ):
            self.moments.append(Moment(0.0, f"{job.shape.name} is not submitted: {cause.said}", Tone.BAD))
            return (Waiting(job.shape.name, "", cause),)
        self.sent = True
        job.send()
        self.moments.append(Moment(0.0, f"{job.shape.kind} {job.shape.name} is submitted"))
        job.settle(cluster.timeout)
        return self._report_pending(cluster, job)

    def _end_checks(self, cluster: PlannedCluster, job: JobRun, waiting: tuple[Waiting, ...]) -> tuple[Waiting, ...]:
        """Ends the deep health checks, if they can end, and returns the pods that then wait."""
        scene = cluster.scene()
        if (endless := endless_checks(scene)) is not None:
            self._add_moment(job, endless.said, Tone.BAD)
            return tuple(
                replace(each, cause=endless) if each.cause.id == DEEP_HEALTH_CHECKS else each for each in waiting
            )
        which = f"{count_by_group(cluster.checked)} {'is' if len(cluster.checked) == 1 else 'are'} Schedulable"
        text = f"simulated: the deep health checks end (on a real cluster after {CHECKS_TAKE}): {which}"
        self._add_moment(job, text, Tone.GOOD)
        cluster.end_checks()
        if not self.sent:
            return self._send(cluster, job) if any(each.cause.id == OPERATOR_WAITS for each in waiting) else waiting
        job.pods.restart_quiet()
        job.settle(cluster.timeout)
        return self._report_pending(cluster, job)

    def _report_pending(self, cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
        """The waiting pods. Adds them, and the pods that have begun to run, to the report's moments."""
        waiting = pending_pods(cluster, job)
        there = [pod for pod in job.now if pod.running]
        running, began = len(there), job.pods.ran  # read after the pods, so it has the time of each
        started = {pod.uid: began[pod.uid] for pod in there if pod.uid not in self.reported_running}
        if started:
            first, last = (round(each - job.began, 2) for each in (min(started.values()), max(started.values())))
            if not self.reported_running:
                self.moments.append(Moment(first, "the first pod runs"))
            every = running == job.shape.pods
            text = f"all {running} pods run" if every and running > 1 else f"running: {running}"
            self.moments.append(Moment(last, text, Tone.GOOD if every else Tone.STEP))
            self.reported_running |= started.keys()
        for each in group_causes(waiting):
            self._add_pending(job, each)
        return waiting

    def _add_pending(self, job: JobRun, seen: GroupedCause) -> None:
        pods = f"{len(seen.pods)} pods wait" if len(seen.pods) > 1 else f"{seen.pods[0]} waits"
        text = f"{pods}: {seen.cause.said}"
        if seen.cause.id == DEEP_HEALTH_CHECKS:
            words = seen.reasons[0][0].partition(". ")[0]
            self._add_moment(job, f"{text} (the scheduler: {words})")
        else:
            self._add_moment(job, text, Tone.BAD)

    def _add_moment(self, job: JobRun, text: str, tone: Tone = Tone.STEP, at: float | None = None) -> None:
        seconds = job.seconds if at is None else at
        self.moments.append(Moment(round(seconds, 2) if self.sent else 0.0, text, tone))

    def _outcome(
        self, cluster: PlannedCluster, job: JobRun, waiting: tuple[Waiting, ...], beside: list[SimulatedPart]
    ) -> Outcome:
        shape, request = job.shape, self.request
        starts = self.sent and job.goes_on() and not job.refusal
        return Outcome(
            stack=request.blueprint.stack,
            job=shape.name,
            kind=shape.kind,
            kubernetes=self.plane.version,
            programs=tuple(Program(each.name, each.version, "built") for each in self.plane.binaries.values()),
            verdict=Verdict.STARTS if starts else Verdict.DOES_NOT_START,
            nodes=report_nodes(cluster, job),
            pods=report_pods(job),
            waiting=waiting,
            requests_at=request.requests_at,
            simulated_parts=(
                *cluster.simulated_parts,
                *karpenter.simulated_karpenter(request.blueprint),
                *self._checks(cluster),
                *simulated_controller(shape),
                *beside,
                *job.simulated_parts,
            ),
            # Pods that run and nodes that join have the time at which this began, and are added later.
            moments=tuple(sorted(self.moments, key=lambda each: each.seconds)),
            notes=tuple(self._notes(cluster, job)),
        )

    def _notes(self, cluster: PlannedCluster, job: JobRun) -> Iterator[str]:
        """Notes for the reader of the report, besides the verdict."""
        request, shape, blueprint = self.request, job.shape, self.request.blueprint
        yield from request.notes
        yield from shape.notes
        yield from resource_claims.unused_claims_notes(shape.roles)
        yield from _other_schedulers(shape, job_schedulers(request))
        wanted, ran = blueprint.described.kubernetes, self.plane.version
        if wanted != ran:
            yield f"the stack uses Kubernetes {wanted}, but the rehearsal ran with the installed version, {ran}"
        if shape.controller is not Controller.KUBERNETES and not addons_that_run(shape.api_version, shape.kind):
            what = f"{shape.kind}s ({shape.api_version})"
            yield f"no add-on of Muster runs {what}: they start only on a cluster with {shape.runs_by}"
        yield from missing_prerequisites(shape, request.beside, hyperpod.team_namespaces(blueprint))
        yield from cluster.installed.notes
        yield from operator_notes(request, self.plane, cluster.installed)
        yield from self._queue_notes(job)
        yield from hyperpod.node_selection_notes(shape, cluster.nodes)
        yield from assumption_notes(blueprint)
        labels = {each.name: each.manifest["metadata"]["labels"] for each in cluster.nodes}
        yield from straddling_notes(report_pods(job), labels)
        yield from filter(None, (dns_pending(cluster),))

    def _check_claims(self, cluster: PlannedCluster) -> None:
        """Checks that sources state what claims require of the nodes that pods of the job may be on.

        Raises:
            ObjectRejected: no source states it.
        """
        pods = [PodConstraints.of(role.spec) for role in self.request.shape.roles if role.spec.get("resourceClaims")]
        nodes = [node for node in cluster.nodes if node.published]
        chosen = [node for node in nodes if any(may_be_on(pod, KubernetesNode.of(node.manifest)) for pod in pods)]
        published = [devices for node in chosen or nodes for devices in node.published.values()]
        for each in self.request.beside:
            if name := resource_claims.unstated_requirement(each, published):
                why = f"it requires {name}, and no source states its value on the nodes of this cluster"
                raise ObjectRejected(each, f"{why}; remove the requirement to rehearse the rest")

    @staticmethod
    def _checks(cluster: PlannedCluster) -> Iterator[SimulatedPart]:
        """The entry of HyperPod's deep health checks; none if no group has them."""
        if nodes := [node for node in cluster.nodes if hyperpod.has_checks(node)]:
            yield hyperpod.simulated_checks(nodes)

    def _queue_notes(self, job: JobRun) -> Iterator[str]:
        """What Kueue has done with a job that has a queue."""
        admitted = (each for each in job.workloads if each.admitted)
        for queue, flavors in dict.fromkeys((each.cluster_queue, each.flavors) for each in admitted):
            yield (f"Kueue admitted the job to ClusterQueue {queue}") + (
                f", flavors {', '.join(flavors)}" if flavors else ""
            )
        if job.shape.queue and self.sent and self._is_unmanaged(job):
            yield self._without_workload(job.shape)

    def _is_unmanaged(self, job: JobRun) -> bool:
        """Whether Kueue ignores a submitted job: it created no Workload, and no pod waits for one."""
        return not job.refusal and not job.workloads and not job.gated

    def _without_workload(self, shape: JobRoles) -> str:
        """Why Kueue ignores a job that has a queue."""
        if self._resumer() is JobResumer.GOVERNANCE:
            return (
                "the rehearsal does not know the queues of HyperPod's task governance: it runs the job as if admitted"
            )
        if not self.plane.runs_kueue:
            return f"the job's queue '{shape.queue}' has no effect: neither the description nor the file has Kueue"
        if shape.controller is Controller.REHEARSAL:
            return (
                f"the rehearsal does not run {shape.runs_by}, so Kueue cannot admit the {shape.kind}: quota is not "
                "checked"
            )
        return f"Kueue created no Workload for the {shape.kind}: it runs without a quota, and its label has no effect"


def _drilled(lost: int, cluster: PlannedCluster, job: JobRun) -> Drill:
    """Runs the drill. A drill that fails to run does not change the verdict."""
    try:
        return drills.lose_nodes(lost, cluster, job)
    except ComponentDied:
        raise
    except RehearsalError as fault:
        now = job.running()
        return Drill(f"lose-nodes {lost}", (), now, now, now, f"the drill did not complete: {fault}")
