"""The rehearsal on Kubernetes: control plane, cluster, job, verdict and drill (their report: `report`)."""

import time
from dataclasses import dataclass, field, replace

from muster.blueprint.hyperpod.node_labels import CHECKS_TAKE
from muster.jobs.kinds import train_job
from muster.jobs.pod_roles import BY_DEFAULT_SCHEDULER, Controller
from muster.message_text import list_names
from muster.rehearsal import machine_limits
from muster.rehearsal.kubernetes import drills, karpenter, kueue, resource_claims
from muster.rehearsal.kubernetes.addons import InstalledAddons, addon_values
from muster.rehearsal.kubernetes.causes import DEEP_HEALTH_CHECKS, NOT_SERVED
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.components import QUOTAS
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_prerequisites import (
    ObjectRejected,
    create_prerequisites,
    create_queues,
)
from muster.rehearsal.kubernetes.job_run import JobRun, as_rehearsed
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.rehearsal.kubernetes.pending_pods import (
    pending_pods,
    pods_without_node,
    resume_job,
    waiting_operator,
)
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.kubernetes.pods import JobPods
from muster.rehearsal.kubernetes.report import Report
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.kubernetes.unsubmitted import unsubmitted
from muster.rehearsal.machine_limits import SILENT, Progress
from muster.rehearsal.outcome import (
    GroupedCause,
    Moment,
    Outcome,
    Tone,
    Verdict,
    Waiting,
    count_by_group,
    group_causes,
)
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on


@machine_limits.exhausted_here()
def rehearse(request: RehearsalRequest, progress: Progress = SILENT) -> Outcome:
    """Starts a control plane, rehearses the job on it, and stops it.

    Raises:
        RehearsalError: the rehearsal cannot continue, for a reason outside the job.
    """
    began = time.perf_counter()
    installed = request.installed()
    if (found := unsubmitted(request, installed)) is not None:
        return found
    refused = [(each, unsubmitted(each, installed)) for each in request.earlier]
    request = replace(request, earlier=tuple(each for each, found in refused if found is None))
    said = [_before(each.shape.name, moment) for each, found in refused if found for moment in found.moments]
    nodes = planned_nodes(request.blueprint)
    kubernetes = request.blueprint.described.kubernetes
    progress.status("starting the control plane ...")
    quotas = request.charts is not None or any(each["kind"] == "ResourceQuota" for each in request.beside)
    claims = any(each.claims for each in (*request.earlier, request)) or any(node.published for node in nodes)
    more = (*((QUOTAS,) if quotas else ()), *((resource_claims.CONTROLLER,) if claims else ()))
    with ControlPlane(
        kubernetes=kubernetes,
        jobs=request.kinds,
        schedulers=request.schedulers,
        values=addon_values(request.blueprint),
        controllers=more,
        kueue=kueue.configuration(request.blueprint) if request.has_kueue else None,
        build=request.build,
        progress=progress,
    ) as plane:
        outcome = _Rehearsal(plane, request, installed, progress, said).run()
        progress.status("")
        memory = plane.processes.memory_mib()
    return replace(outcome, seconds=round(time.perf_counter() - began, 2), peak_memory_mib=memory)


def _before(job: str, moment: Moment) -> Moment:
    """A moment of a job of the file that is submitted before the last one."""
    return Moment(0.0, f"{job}, submitted before: {moment.said}", moment.tone)


@dataclass(slots=True)
class _Rehearsal:
    """The state of one rehearsal. Its control plane has no nodes at the start."""

    plane: ControlPlane
    request: RehearsalRequest
    installed: InstalledAddons
    progress: Progress
    moments: list[Moment] = field(default_factory=list)
    sent: bool = False
    """Whether the job was submitted."""
    reported_running: set[str] = field(default_factory=set)
    """Uids of pods whose start is in the report."""

    def run(self) -> Outcome:
        request, plane = self.request, self.plane
        cluster = PlannedCluster(plane, request.blueprint, self.installed)
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
            create_queues(plane, request.queues)
        for each in request.earlier:
            other = replace(self, request=each, moments=[], sent=False, reported_running=set())
            create_prerequisites(plane, each.shape.namespace, ())
            other.submit_job(cluster)
            self.moments += (_before(each.shape.name, moment) for moment in other.moments)
        job, waiting = self.submit_job(cluster)
        self.progress.status("reading the nodes ...")
        beside = (*created, *resource_claims.claim_parts(of_domains))
        outcome = Report(request, cluster, job, self.sent).outcome(waiting, beside, self.moments)
        if outcome.verdict is Verdict.STARTS and request.lost:
            self.progress.status("running the drill ...")
            drill = drills.lose_nodes(request.lost, cluster, job)
            parts = {each.name: each for each in (*outcome.simulated_parts, *drill.simulated_parts)}
            outcome = replace(outcome, drills=(drill,), simulated_parts=tuple(parts.values()))
        return outcome

    def submit_job(self, cluster: PlannedCluster) -> tuple[JobRun, tuple[Waiting, ...]]:
        """Submits the job. Returns it, and its waiting pods."""
        request = self.request
        document = self._as_sent(resume_job(request.job) if request.resumes_job else request.job)
        job = JobRun(self.plane, request.shape, document, JobPods(self.plane.client, request.shape.namespace))
        self.progress.status(f"sending {request.shape.name} ...")
        return job, self._send_and_wait(cluster, job)

    def _as_sent(self, document: JsonObject) -> JsonObject:
        """The job, or its runtime, as it is sent to the control plane."""
        shape = self.request.shape
        if shape.controller not in BY_DEFAULT_SCHEDULER:
            return document
        sent: JsonObject = as_rehearsed(document, self.request.schedulers)
        return sent

    def _send_and_wait(self, cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
        """Submits the job and returns the waiting pods. If HyperPod's deep health checks run on nodes, it ends the
        checks and returns the pods that then wait."""
        checked = cluster.checked
        if checked:
            text = f"simulated: HyperPod's deep health checks run on {count_by_group(checked)} (not Schedulable)"
            self.moments.append(Moment(0.0, text))
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
            creators = list_names(dict.fromkeys(creator[node.group] for node in nodes))
            text = f"simulated: {creators} creates {count_by_group(nodes)} for pods that wait"
            self._add_moment(job, f"{text} (on a real cluster after {karpenter.NODES_TAKE})", Tone.GOOD, at=start)
            job.pods.restart_quiet()
            job.settle(cluster.timeout)
            waiting = self._report_pending(cluster, job)
        return waiting

    def _send(self, cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
        """Submits the job and returns the waiting pods. While an operator that it needs waits, it is not submitted."""
        if cause := waiting_operator(cluster, job, {each.addon for each in self.request.operators}):
            self.moments.append(Moment(0.0, f"{job.shape.name} is not submitted: {cause.said}", Tone.BAD))
            return (Waiting(job.shape.name, "", cause),)
        self.sent = True
        job.send()
        self.moments.append(Moment(0.0, f"{job.shape.kind} {job.shape.name} is submitted"))
        job.settle(cluster.timeout)
        return self._report_pending(cluster, job)

    def _end_checks(self, cluster: PlannedCluster, job: JobRun, waiting: tuple[Waiting, ...]) -> tuple[Waiting, ...]:
        """Ends the deep health checks, if they can end, and returns the pods that then wait."""
        if any(each.cause.id in NOT_SERVED for each in waiting):
            return waiting  # the checks use the devices too, so they cannot pass
        which = f"{count_by_group(cluster.checked)} (Schedulable)"
        text = f"simulated: the deep health checks end on {which}; on a real cluster after {CHECKS_TAKE}"
        self._add_moment(job, text, Tone.GOOD)
        cluster.end_checks()
        if not self.sent:
            return self._send(cluster, job)
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
            words = seen.reason.partition(". ")[0]
            self._add_moment(job, f"{text} (the scheduler: {words})")
        else:
            self._add_moment(job, text, Tone.BAD)

    def _add_moment(self, job: JobRun, text: str, tone: Tone = Tone.STEP, at: float | None = None) -> None:
        seconds = job.seconds if at is None else at
        self.moments.append(Moment(round(seconds, 2) if self.sent else 0.0, text, tone))

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
