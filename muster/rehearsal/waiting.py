"""Who of a job waits, and why: the words that were said, and the cause behind them."""

from collections.abc import Mapping

from muster.fleet.matching import Json
from muster.jobs.asks import asks
from muster.rehearsal.causes import Asking, cause_of
from muster.rehearsal.installed import runners
from muster.rehearsal.outcome import Cause, Waiting
from muster.rehearsal.planned_cluster import PlannedCluster
from muster.rehearsal.sent_job import SentJob


def waiting_pods(cluster: PlannedCluster, job: SentJob) -> tuple[Waiting, ...]:
    """Every pod that is there and does not run, then those that nobody makes, by name."""
    stuck = [pod for pod in job.now if not pod.running]
    if not stuck and not job.refusal:
        return ()
    scene = cluster.scene()
    alike: Mapping[str, int] = {role.name: role.pods for role in job.shape.roles}
    # A thousand pods of one role have one cause: it is looked for once.
    known: dict[tuple[str, str], Cause] = {}
    found = []
    for pod in stuck:
        key = (pod.role, pod.said)
        if key not in known:
            asking = _asking(pod.spec, pod.role, alike.get(pod.role, len(stuck)))
            known[key] = cause_of(asking, scene, pod.said)
        found.append(Waiting(pod.name, pod.said, known[key]))
    if job.refusal:
        found.append(Waiting(job.shape.name, job.refusal.said, _refused(job)))
    return tuple(found)


def no_names(cluster: PlannedCluster) -> str:
    """Why pods would not find each other by name: CoreDNS waits; empty where it runs."""
    waits = cluster.dns_waits()
    if waits is None:
        return ""
    said, spec = waits
    cause = cause_of(_asking(spec, "dns", 1), cluster.scene(), said)
    return f"CoreDNS runs nowhere, so that no pod finds another by its name: {cause.said}; {cause.remedy}"


def _asking(spec: Json, role: str, alike: int) -> Asking:
    asked = {resource: number for resource, number in asks(spec).items() if number}
    return Asking(spec, {**asked, "pods": 1}, role, alike)


def _refused(job: SentJob) -> Cause:
    assert job.refusal is not None
    kind, who = job.shape.kind, job.refusal.who
    if job.refusal.said:
        return Cause(
            "refused",
            f"{who} refuses the {kind} or its pods",
            "mend the job as those words say; a live cluster would refuse it too",
        )
    return Cause(
        "pods-not-made",
        f"{who} made fewer pods than the {kind} asks for, and said nothing of it",
        f"look at the {kind}'s own settings: suspend, parallelism, replicas",
    )


def no_runner(cluster: PlannedCluster, job: SentJob) -> Cause | None:
    """Why nothing would make the job's pods on the cluster: its operator is no add-on of it, or does not run.

    None where all is well, or where the catalogue has no such operator.
    """
    version, kind = job.shape.api_version, job.shape.kind
    known = runners(version, kind)
    if not known:
        return None
    runner = cluster.installed.runner(version, kind)
    if runner is None:
        return Cause(
            "no-operator",
            f"no add-on of the description runs {kind}s: nothing would make the job's pods",
            f"add `{known[0]}: {{}}` below addons:",
            "addons",
        )
    waits = cluster.deployment_waits(runner.operator) if runner.operator else None
    if waits is None:
        return None
    said, spec = waits
    cause = cause_of(_asking(spec, "operator", 1), cluster.scene(), said)
    return Cause(
        f"operator-{cause.id}",
        f"the {runner.addon.name} that makes the job's pods waits itself: {cause.said}",
        cause.remedy,
        cause.where or f"addons.{runner.addon.name}",
        cause.sums,
    )
