"""Times the parts of a rehearsal (control plane, nodes and plugins, one job on every node), and a bare scheduler.

The bare scheduler is the floor: the same pods on the same control plane, whose nodes offer their devices from the
start and without plugins and kubelets; its time is from the first pod sent to the last pod bound. Machines are
noisy, and processor time is less so: compare that where the two disagree. A timing never fails anything.
"""

import argparse
import contextlib
import os
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from muster.blueprint.kubernetes import Blueprint
from muster.config.project import open_stack, root
from muster.jobs.catalogue import JobOptions, job_of, manifest_of, roles_of
from muster.rehearsal.kubernetes import nodes
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_run import JobRun, PodWatch
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster

STACK, GROUP = "p5-odcr", "workers"
PATIENCE = 900
LOOK = 0.05


@dataclass(slots=True)
class Measured:
    """One run."""

    seconds: dict[str, float] = field(default_factory=dict)
    """Step -> how long it took."""
    processor: dict[str, dict[str, float]] = field(default_factory=dict)
    """Step -> process -> seconds of processor time."""
    peak_mib: dict[str, int] = field(default_factory=dict)

    @property
    def processor_in_all(self) -> dict[str, float]:
        """Process -> seconds of processor time, over all steps."""
        names = {name for used in self.processor.values() for name in used}
        return {name: sum(used.get(name, 0) for used in self.processor.values()) for name in names}


class Clock:
    """Times the steps of one run."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured
        self.pids: Mapping[str, int] = {}

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """One step, from here to the end of the block."""
        before, began = self._used(), time.perf_counter()
        yield
        self.measured.seconds[name] = time.perf_counter() - began
        self.measured.processor[name] = {each: used - before.get(each, 0) for each, used in self._used().items()}

    def _used(self) -> dict[str, float]:
        pids = {"muster": os.getpid(), **self.pids}
        return {name: used for name, pid in pids.items() if (used := processor_seconds(pid)) is not None}


def processor_seconds(pid: int) -> float | None:
    """The processor time in seconds that a process has used. None if the system does not report it (macOS)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def blueprint() -> Blueprint:
    """A cluster of p5.48xlarge."""
    made = open_stack(root(), STACK).derive()
    assert isinstance(made, Blueprint), "a cluster on EKS"
    return made


def a_job(cluster: Blueprint, count: int) -> dict[str, Any]:
    """The NCCL test on every node."""
    return manifest_of(job_of("nccl-tests"), cluster, JobOptions(nodes=count, beyond_the_group=True))


def _pods(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A pod for each pod of the job, from the templates alone."""
    for role in roles_of(job).roles:
        for number in range(role.pods):
            metadata = {"name": f"{role.name}-{number}", "namespace": "default"}
            yield {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": metadata,
                "spec": {**role.spec, "restartPolicy": "Never"},
            }


def _bound(plane: ControlPlane, count: int) -> Callable[[], None]:
    """Follows the job's pods; what it returns waits until the given number of them have a node."""
    seen: set[str] = set()
    there = threading.Event()

    def follow() -> None:
        for event in plane.client.follow("/api/v1/namespaces/default/pods", fieldSelector="spec.nodeName!="):
            found = event.object["items"] if event.type == "SYNCED" else [event.object]
            seen.update(each["metadata"]["name"] for each in found)
            if len(seen) == count:
                there.set()
                return

    threading.Thread(target=follow, daemon=True).start()

    def wait() -> None:
        plane.wait_until(there.is_set, f"{count} pods did not get a node each", PATIENCE, LOOK)

    return wait


def rehearsal(cluster: Blueprint, count: int) -> Measured:
    """The whole rehearsal, as `muster rehearse` does it: control plane, nodes with their plugins, job, report."""
    measured, job = Measured(), a_job(cluster, count)
    clock = Clock(measured)
    with ExitStack() as stack:
        with clock.step("plane"):
            plane = stack.enter_context(ControlPlane(jobs=[job["kind"]]))
            clock.pids = plane.pids  # all their time so far belongs to this step
        with clock.step("cluster"):
            planned = stack.enter_context(PlannedCluster(plane, cluster, counts={GROUP: count}))
        pods = stack.enter_context(PodWatch(plane.client, "default"))
        sent = JobRun(plane, roles_of(job), job, pods)
        with clock.step("job"):
            sent.send()
            sent.settle(PATIENCE)
        assert sent.goes_on()
        with clock.step("report"):
            planned.live()
        measured.peak_mib = plane.memory_mib()
    return measured


def bare(cluster: Blueprint, count: int) -> Measured:
    """The lower limit: API server and scheduler alone, nodes with their devices, the same pods."""
    measured = Measured()
    clock = Clock(measured)
    with ControlPlane() as plane:
        for idle in ("kube-controller-manager", "kwok"):
            os.kill(plane.pids[idle], signal.SIGSTOP)
        clock.pids = plane.pids
        nodes.create_nodes(plane.client, (_equipped(node) for node in nodes.planned_nodes(cluster, {GROUP: count})))
        pods = list(_pods(a_job(cluster, count)))
        with clock.step("job"):
            bound = _bound(plane, len(pods))
            plane.client.create_all(pods)
            bound()
        measured.peak_mib = plane.memory_mib()
    return measured


def _equipped(node: nodes.PlannedNode) -> nodes.PlannedNode:
    """The node as it is when all its plugins run."""
    served = {name: str(number) for each in node.devices.values() for name, number in each.items()}
    status = node.manifest["status"]
    offers = {part: {**status[part], **served} for part in ("capacity", "allocatable")}
    return replace(node, manifest={**node.manifest, "status": {**status, **offers}})


def steps(whole: Sequence[Measured], floor: Sequence[Measured]) -> Iterator[tuple[str, ...]]:
    """Step, seconds, and seconds of processor time: the sum, and each process."""
    names = list(whole[0].processor["job"])
    yield ("step", "seconds", "min", "max", "processor", *names)
    for step in whole[0].seconds:
        yield _row(step, [each.seconds[step] for each in whole], [each.processor[step] for each in whole], names)
    total = [sum(each.seconds.values()) for each in whole]
    yield _row("total", total, [each.processor_in_all for each in whole], names)
    bound = [each.seconds["job"] for each in floor]
    yield _row("bare scheduler", bound, [each.processor["job"] for each in floor], names)


def _row(
    step: str, seconds: Sequence[float], processor: Sequence[Mapping[str, float]], names: Sequence[str]
) -> tuple[str, ...]:
    used = [statistics.median(each.get(name, 0) for each in processor) for name in names]
    spread = (statistics.median(seconds), min(seconds), max(seconds), sum(used), *used)
    return (step, *(f"{each:.1f}" for each in spread))


def report(count: int, whole: Sequence[Measured], floor: Sequence[Measured]) -> str:
    """The text that is printed for a number of nodes."""
    rows = list(steps(whole, floor))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.rjust(width) if column else cell.ljust(width) for column, (cell, width) in enumerate(pairs))
        for pairs in (list(zip(row, widths, strict=True)) for row in rows)
    ]
    bare, total, pods = (
        statistics.median(each)
        for each in (
            [each.seconds["job"] for each in floor],
            [sum(each.seconds.values()) for each in whole],
            [each.seconds["job"] for each in whole],
        )
    )
    peak = {name: round(statistics.median(each.peak_mib[name] for each in whole)) for name in whole[0].peak_mib}
    memory = ", ".join(f"{name} {mib}" for name, mib in peak.items())
    return "\n".join(
        (
            f"{count} nodes",
            *lines,
            f"ratio to the bare scheduler: pods of the job {pods / bare:.1f}, whole rehearsal {total / bare:.1f}",
            f"peak memory {sum(peak.values())} MiB: {memory}",
        )
    )


def main() -> None:
    """Prints a table for each number of nodes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--nodes", type=int, nargs="+", default=[10, 100, 1000, 2000])
    options.add_argument("--runs", type=int, default=3)
    given = options.parse_args()
    cluster = blueprint()
    print(f"{given.runs} runs each; medians; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before\n")
    for count in given.nodes:
        runs = [(rehearsal(cluster, count), bare(cluster, count)) for _ in range(given.runs)]
        print(report(count, *zip(*runs, strict=True)))
        print(f"load {os.getloadavg()[0]:.1f} after\n", flush=True)


if __name__ == "__main__":
    main()
