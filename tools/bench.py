"""Times Muster's commands as whole processes, alternating with a lower limit, and prints their ratios to it.

Aims are about processor time of a process and its child processes, with Python's bytecode cached. The lower limit
("floor") is a Python process that imports the SDKs and touches one class of each module that the program uses. It has
Python's garbage collection, which Muster's commands do without: a plan can take less. Timings vary between runs, so
compare within one run only. A timing never fails anything.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

import yaml

from muster import child_process
from muster.rehearsal.kubernetes.binaries import missing_binaries

ROOT = Path(__file__).resolve().parent.parent
MUSTER = str(child_process.PYTHON.parent / "muster")

FLOOR = """
import pulumi, pulumi_aws as aws, pulumi_kubernetes as kubernetes
aws.cloudwatch.LogGroup, aws.ec2.LaunchTemplate, aws.eks.NodeGroup, aws.iam.Role, aws.kms.Key
aws.vpc.SecurityGroupIngressRule, aws.eks.Cluster
kubernetes.Provider, kubernetes.helm.v3.Release, kubernetes.yaml.v2.ConfigFile
"""
INIT = (
    f"rm -f stacks/Pulumi.new.yaml; exec {MUSTER} "
    "init new --offline --reservation cr-fill-me-in --instance p5.48xlarge --region us-west-2"
)
_FLOOR = "floor: import the SDKs"
COMMANDS: Mapping[str, tuple[float, Sequence[str | Path]]] = {
    _FLOOR: (1, child_process.python("-c", FLOOR)),
    "--help": (0.08, [MUSTER, "--help"]),
    "hardware p5.48xlarge": (0.08, [MUSTER, "hardware", "p5.48xlarge"]),
    "explain RULE": (0.08, [MUSTER, "explain", "reservation-zone-matches-subnet"]),
    "check p5-odcr": (0.3, [MUSTER, "check", "p5-odcr"]),
    "check --all": (0.6, [MUSTER, "check", "--all"]),
    "plan p5-odcr": (1.4, [MUSTER, "plan", "p5-odcr"]),
    "init --offline": (0.6, ["sh", "-c", INIT]),
}
"""Name -> the highest processor time as a ratio to that of the lower limit, and the command."""


class Run(NamedTuple):
    """One finished process."""

    seconds: float
    processor_seconds: float
    peak_mib: float
    code: int


def run(command: Sequence[str | Path], folder: Path, output: IO[bytes] | int = child_process.DEVNULL) -> Run:
    """Runs a command to its end."""
    began = time.perf_counter()
    process = child_process.start(command, cwd=folder, env=os.environ, stdout=output, stderr=child_process.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode)


SCALE: Mapping[str, tuple[int, int, int]] = {
    "groups on EKS": (50, 100, 200),
    "stacks on one reservation": (5, 10, 20),
    "modules of Terraform": (250, 500, 1_000),  # of 20 resources
    "the policy pack": (50, 100, 200),  # of 10 resources
}
"""Inputs of `tests.growing_inputs` -> sizes, of which each is twice the one before."""
_IMPORT = f"""import gc, pathlib, sys; gc.disable(); sys.path.insert(0, {str(ROOT)!r})
from tests.growing_inputs import GROWING
it = GROWING[sys.argv[1]]
"""
_WRITE = f"{_IMPORT}it.write(pathlib.Path(), int(sys.argv[2]))"
_RUN = f"{_IMPORT}it.run(it.command)"


def measure_scale(runs: int) -> None:
    """Prints a row for each size of each input. A process of its own writes the input: the peak memory of a process
    begins with that of the one that starts it."""
    print(f"{'input':32} {'parts':>6} {'processor':>9} {'wall':>7} {'peak MiB':>9}")
    for name, size in ((name, size) for name, sizes in SCALE.items() for size in sizes):
        with tempfile.TemporaryDirectory() as folder:
            run(child_process.python("-c", _WRITE, name, str(size)), Path(folder))
            one = medians([run(child_process.python("-c", _RUN, name), Path(folder)) for _ in range(runs)])
        print(f"{name:32} {size:6} {one.processor_seconds:9.2f} {one.seconds:7.2f} {one.peak_mib:9.0f}")


def measured(folder: Path, runs: int) -> dict[str, list[Run]]:
    """Runs each command `runs` times, alternating (A B C A B C ...), after one turn that is not counted."""
    results: dict[str, list[Run]] = {name: [] for name in COMMANDS}
    for turn in range(runs + 1):
        for name, (_, command) in COMMANDS.items():
            done = run(command, folder)
            if turn:
                results[name].append(done)
    return results


def medians(done: Sequence[Run]) -> Run:
    """The median of each measure."""
    return Run(*(statistics.median(each[index] for each in done) for index in range(3)), code=done[0].code)


NODES = 1000
"""Of p5.48xlarge, each with a pod that requests all its devices: the nodes of a rehearsal."""
MOST_OF_BARE, MOST_MIB = 3, 2048
"""The aims of a rehearsal: its time as a multiple of that of a bare control plane, and its memory."""


def rehearsals(folder: Path) -> dict[str, tuple[Run, int]]:
    """A bare control plane with the nodes and pods (`tools.bare_control_plane`), then a rehearsal: the run, and the
    peak memory of its components in MiB."""
    stack = yaml.safe_load((folder / "stacks/Pulumi.p5-odcr.yaml").read_text())
    group = stack["config"]["muster:cluster"]["groups"]["workers"]
    group["nodes"] = group["capacity"]["reservation"]["count"] = NODES
    (folder / "stacks/Pulumi.many.yaml").write_text(yaml.safe_dump(stack))
    nodes = ["--job", "nccl-tests", "--nodes", str(NODES)]
    commands = {
        "bare control plane": child_process.python(ROOT / "tools/bare_control_plane.py", "many"),
        "rehearse": [MUSTER, "rehearse", "many", *nodes, "--json"],
    }
    results = {}
    for name, command in commands.items():
        with (folder / "output").open("w+b") as output:
            done = run(command, folder, output)
            output.seek(0)
            results[name] = done, json.load(output)["peakMemoryMiB"]
    return results


def main() -> None:
    """Prints the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--scale", action="store_true", help="time large inputs instead, each at three sizes")
    chosen = options.parse_args()
    runs = chosen.runs
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise each run compiles all that it imports
    if chosen.scale:
        measure_scale(runs)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(ROOT / "Pulumi.yaml", folder)  # noqa: TID251
        shutil.copytree(ROOT / "stacks", folder / "stacks")
        results = measured(folder, runs)
        large = {} if missing_binaries() else rehearsals(folder)
    print(f"{runs} runs each, alternating; medians. Python {sys.version.split()[0]}, {os.cpu_count()} processors\n")
    print(f"{'command':24} {'processor':>9} {'x floor':>8} {'aim':>6} {'wall':>7} {'x floor':>8} {'peak MiB':>9}  exit")
    floor = medians(results[_FLOOR])
    for name, done in results.items():
        own = medians(done)
        codes = ",".join(sorted({str(each.code) for each in done}))
        ratio = own.processor_seconds / floor.processor_seconds
        processor = f"{own.processor_seconds:9.2f} {ratio:8.2f} {COMMANDS[name][0]:6.2f}"
        wall = f"{own.seconds:7.2f} {own.seconds / floor.seconds:8.2f}"
        print(f"{name:24} {processor} {wall} {own.peak_mib:9.0f}  {codes}")
    if not large:
        print("\nno rehearsal: its programs are not built")
    for name, (done, memory) in large.items():
        bare = large["bare control plane"][0]
        times = f"{done.seconds:.1f} s, {done.processor_seconds:.1f} s of processors, {memory} MiB"
        aim = f" ({done.seconds / bare.seconds:.1f} times; aim {MOST_OF_BARE} times, {MOST_MIB} MiB)"
        print(f"{name}, {NODES} nodes: {times}{'' if done is bare else aim}")


if __name__ == "__main__":
    main()
