"""Times Muster's commands as whole processes, alternating with a lower limit, and prints their ratios to it.

Aims are about processor time of a process and its child processes, with Python's bytecode cached. The lower limit
("floor") is a Python process that imports the SDKs and touches one class of each module that the program uses: no plan
can take less. Timings vary between runs, so compare within one run only. A timing never fails anything.

Then it times `muster check` of each input of `tools.growing_inputs` at three sizes: the time must not grow with their
square.
"""

import argparse
import contextlib
import itertools
import os
import re
import shutil
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from muster import child_process
from muster.config.project import stacks
from tools.growing_inputs import GROWING

ROOT = Path(__file__).resolve().parent.parent
BIN = child_process.PYTHON.parent
MUSTER = str(BIN / "muster")
STACK = "p5-odcr"

FLOOR = """
import pulumi, pulumi_aws as aws, pulumi_eks, pulumi_kubernetes as kubernetes
aws.cloudwatch.LogGroup, aws.ec2.LaunchTemplate, aws.eks.NodeGroup, aws.iam.Role, aws.kms.Key
aws.vpc.SecurityGroupIngressRule, pulumi_eks.Cluster
kubernetes.Provider, kubernetes.helm.v3.Release, kubernetes.yaml.v2.ConfigFile
"""

PLAN_EACH = """
import gc, sys
from muster.cli.options import day
from muster.offline.plan import plan_stack
from muster import child_process
from muster.config.project import open_stack, root
gc.disable()  # as the command does
for name in sys.argv[1:]:
    plan_stack(open_stack(root(), name), day(None))
"""


AIMS = {
    "--help": 0.08,
    "hardware p5.48xlarge": 0.08,
    "explain RULE": 0.08,
    f"check {STACK}": 0.3,
    "check --all": 0.6,
    f"plan {STACK}": 1.4,
    "init --offline": 0.6,
}
"""Highest processor time of commands, as ratios to that of the lower limit."""

INIT = (
    "rm -f stacks/Pulumi.new.yaml; "
    "exec {muster} init new --offline --reservation cr-fill-me-in --instance p5.48xlarge --region us-west-2"
)


class Run(NamedTuple):
    """One finished process."""

    seconds: float
    processor_seconds: float
    peak_mib: float
    code: int


def run(command: Sequence[str], folder: Path) -> Run:
    """Runs a command to its end, and discards its output."""
    began = time.perf_counter()
    output = dict.fromkeys(("stdout", "stderr"), child_process.DEVNULL)
    process = child_process.start(command, cwd=folder, env=os.environ, **output)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode)


def measured(commands: dict[str, tuple[Sequence[str], Path]], runs: int) -> dict[str, list[Run]]:
    """Runs each command `runs` times, alternating (A B C A B C ...), after one turn that is not counted."""
    results: dict[str, list[Run]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, (command, folder) in commands.items():
            done = run(command, folder)
            if turn:
                results[name].append(done)
    return results


def medians(done: Sequence[Run]) -> Run:
    """The median of each measure."""
    return Run(*(statistics.median(each[index] for each in done) for index in range(3)), code=done[0].code)


def filled_in(folder: Path) -> Path:
    """A copy of the project whose stack has its placeholders filled in: Muster does not query placeholders."""
    project = folder / "filled"
    (project / "stacks").mkdir(parents=True)
    shutil.copy(ROOT / "Pulumi.yaml", project)  # noqa: TID251
    text = (ROOT / "stacks" / f"Pulumi.{STACK}.yaml").read_text(encoding="utf-8")
    ids = itertools.count(1)
    known = re.sub(r"\b(vpc|subnet|sg|cr|ami|fs)-fill-me-in[a-z0-9-]*", lambda it: f"{it[1]}-{next(ids):017x}", text)
    (project / "stacks" / f"Pulumi.{STACK}.yaml").write_text(known, encoding="utf-8")
    return project


@contextlib.contextmanager
def account() -> Iterator[None]:
    """An AWS account that moto simulates on loopback, for commands that query AWS."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = child_process.start(
        [BIN / "moto_server", "-p", str(port)], stdout=child_process.DEVNULL, stderr=child_process.DEVNULL
    )
    os.environ |= {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_EC2_METADATA_DISABLED": "true"}
    os.environ |= {"AWS_ACCESS_KEY_ID": "bench", "AWS_SECRET_ACCESS_KEY": "bench"}
    try:
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait()


GROWN = (200, 400, 800)
"""Parts of the inputs that grow. Some formats allow fewer parts: then the command refuses the input."""


def growth() -> None:
    """Prints the time and memory for inputs of three sizes. The last column is 2 if they grow with the size, and 4 if
    they grow with its square."""
    sizes = " ".join(f"{each:>8}" for each in GROWN)
    print(f"\n{'processor seconds by parts':34} {sizes} {'peak MiB':>9} {'growth':>7}  exit")
    for name, each in GROWING.items():
        done = []
        for count in GROWN:
            with tempfile.TemporaryDirectory() as folder:
                done.append(run([MUSTER, *each.write(Path(folder), count)], Path(folder)))
        few, more, most = (one.processor_seconds for one in done)
        times = " ".join(f"{one.processor_seconds:8.2f}" for one in done)
        ratio = f"{(most - more) / (more - few):7.1f}" if more - few > NOTICEABLE else f"{'-':>7}"
        codes = ",".join(str(one.code) for one in done)
        print(f"{name:34} {times} {max(one.peak_mib for one in done):9.0f} {ratio}  {codes}", flush=True)


NOTICEABLE = 0.1
"""Seconds: smaller differences are noise."""

_FLOOR = "floor: import the SDKs"
_ONE, _ALL = "one stack planned in a process", "all stacks planned in a process"


def main() -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--aims", action="store_true", help="only the commands that have an aim")
    given = options.parse_args()
    runs = given.runs
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise each run compiles all that it imports
    with tempfile.TemporaryDirectory() as temporary, account():
        commands: dict[str, tuple[Sequence[str], Path]] = {
            _FLOOR: (child_process.python("-c", FLOOR), ROOT),
            "--help": ([MUSTER, "--help"], ROOT),
            "hardware p5.48xlarge": ([MUSTER, "hardware", "p5.48xlarge"], ROOT),
            "explain RULE": ([MUSTER, "explain", "reservation-zone-matches-subnet"], ROOT),
            "init --offline": (["sh", "-c", INIT.format(muster=MUSTER)], filled_in(Path(temporary) / "init")),
            f"check {STACK}": ([MUSTER, "check", STACK], ROOT),
            "check --all": ([MUSTER, "check", "--all"], ROOT),
            f"plan {STACK}": ([MUSTER, "plan", STACK], ROOT),
            f"rehearse {STACK}": ([MUSTER, "rehearse", STACK], ROOT),
            f"preflight {STACK}, moto": ([MUSTER, "preflight", STACK], filled_in(Path(temporary))),
            _ONE: (child_process.python("-c", PLAN_EACH, STACK), ROOT),
            _ALL: (child_process.python("-c", PLAN_EACH, *stacks(ROOT)), ROOT),
        }
        if given.aims:
            commands = {name: each for name, each in commands.items() if name in (_FLOOR, *AIMS)}
        results = measured(commands, runs)
    print(f"{runs} runs each, alternating; medians. Python {sys.version.split()[0]}, {os.cpu_count()} processors\n")
    print(f"{'command':34} {'processor':>9} {'x floor':>8} {'aim':>6} {'wall':>7} {'x floor':>8} {'peak MiB':>9}  exit")
    floor = medians(results[_FLOOR])
    for name, done in results.items():
        own = medians(done)
        codes = ",".join(sorted({str(each.code) for each in done}))
        aim = f"{AIMS[name]:6.2f}" if name in AIMS else " " * 6
        processor = f"{own.processor_seconds:9.2f} {own.processor_seconds / floor.processor_seconds:8.2f} {aim}"
        print(
            f"{name:34} {processor} {own.seconds:7.2f} {own.seconds / floor.seconds:8.2f} {own.peak_mib:9.0f}  {codes}"
        )
    if given.aims:
        return
    growth()
    one, every = (statistics.median(each.seconds for each in results[name]) for name in (_ONE, _ALL))
    more = len(stacks(ROOT)) - 1
    print(f"\nplanning all {more + 1} stacks in one process adds {(every - one) / more * 1000:.0f} ms for each stack")


if __name__ == "__main__":
    main()
