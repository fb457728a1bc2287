"""The scripts run under bash, with programs that only say what they were called with in place of Slurm's and AWS's."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.slurm_jobs import Script
from muster.jobs.slurm_jobs import make as script_of
from tests.jobs.slurm.clusters import a_group, a_queue, a_slurm_cluster

PROGRAM = "/opt/nccl-tests/build/all_reduce_perf"
DATA_SET = "bert_pretrain_wikicorpus_tokenized_hdf5_seqlen128"
TRN1 = {"compute": a_queue({"workers": a_group(instance="trn1.32xlarge")})}

ENVIRONMENT = {
    "SLURM_JOB_ID": "7",
    "SLURM_JOB_NUM_NODES": "2000",
    "SLURM_JOB_NODELIST": "compute-st-workers-[1-2000]",
    "SLURM_CPUS_PER_TASK": "12",
    "SLURM_NODEID": "3",
}

_SAYS = 'printf "%s\\n" "$(basename "$0")" "$@" >> "$SAID"\n'
_RUNS = """
while [ $# -gt 0 ] && [ "$1" != bash ]; do shift; done
[ $# -eq 0 ] || exec "$@"
"""
PROGRAMS = {
    # As many as there are: whoever closes the pipe early ends the script.
    "scontrol": f"{_SAYS}seq -f 'compute-st-workers-%g' 1 20000",
    "srun": f"{_SAYS}{_RUNS}",
    **dict.fromkeys(("torchrun", "neuron_parallel_compile", "mpirun", "sudo", "all_reduce_perf"), _SAYS),
    "fi_info": "printf 'provider: efa\\n    domain: rdmap%s-rdm\\n' 0 0 1 1 2 2 3 3",
    "nvidia-smi": "seq -f 'GPU %g: NVIDIA A100' 0 7",
}


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str
    said: list[str]
    """Every program that was called, and behind it its arguments."""

    def after(self, *words: str) -> list[str]:
        """What follows these words."""
        at = next(i for i in range(len(self.said)) if tuple(self.said[i : i + len(words)]) == words)
        return self.said[at + len(words) :]


@dataclass(frozen=True)
class Node:
    """A node of the cluster, in a folder."""

    root: Path

    def run(self, made: Script, *arguments: str, **environment: str) -> Ran:
        said = self.root / "said"
        said.write_text("", encoding="utf-8")
        text = made.text
        for path in ("/fsx", "/opt/amazon/efa/bin/", "/opt/amazon/openmpi/bin/", PROGRAM):
            place = {"/fsx": f"{self.root}/fsx", PROGRAM: f"{self.root}/bin/all_reduce_perf"}
            text = text.replace(path, place.get(path, f"{self.root}/bin/"))
        file = self.root / f"{made.name}.sbatch"
        file.write_text(text, encoding="utf-8")
        path = f"{self.root}/bin:{os.environ['PATH']}"
        ran = subprocess.run(
            ["bash", str(file), *arguments],
            env={"PATH": path, "SAID": str(said), "HOME": str(self.root), **ENVIRONMENT, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr, said.read_text(encoding="utf-8").splitlines())

    def has(self, path: str) -> None:
        """A file that somebody brought, as the head of a script says."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/bash\n{_SAYS}", encoding="utf-8")
        file.chmod(0o755)


@pytest.fixture
def node(tmp_path: Path) -> Node:
    (tmp_path / "bin").mkdir()
    for name, body in PROGRAMS.items():
        file = tmp_path / "bin" / name
        file.write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
        file.chmod(0o755)
    return Node(tmp_path)


def of(name: str, **said: Any) -> Script:
    queues = TRN1 if name.startswith("trn1") else None
    return script_of(JOBS[name], a_slurm_cluster(queues, **said))


NEEDS = {
    ("nccl-tests", True): ("fsx/images/nccl-tests.sqsh",),
    ("pytorch-fsdp", True): ("fsx/images/pytorch-fsdp.sqsh",),
    ("pytorch-fsdp", False): ("fsx/pytorch-fsdp/env/bin/torchrun",),
    ("trn1-pretrain", True): ("fsx/images/trn1-bert.sqsh", f"fsx/{DATA_SET}/one"),
    ("trn1-pretrain", False): ("fsx/trn1-bert/env/bin/torchrun", f"fsx/{DATA_SET}/one"),
    ("trn1-precompile", True): ("fsx/images/trn1-bert.sqsh", f"fsx/{DATA_SET}/one"),
    ("trn1-precompile", False): ("fsx/trn1-bert/env/bin/torchrun", f"fsx/{DATA_SET}/one"),
}
"""Job, and whether in a container -> the files that it looks for."""


def made(name: str, contained: bool) -> Script:
    return of(name) if contained else of(name, post_install=None)


@pytest.mark.parametrize(("name", "contained"), NEEDS)
def test_it_runs_where_all_is_there(node: Node, name: str, contained: bool) -> None:
    """And says nothing of its own."""
    for path in NEEDS[name, contained]:
        node.has(path)
    ran = node.run(made(name, contained))
    assert (ran.code, ran.err) == (0, "")
    assert "srun" in ran.said
    assert any(line.startswith("--container-image=") for line in ran.said) is contained


@pytest.mark.parametrize(("name", "contained"), NEEDS)
def test_it_ends_with_words_where_something_is_not(node: Node, name: str, contained: bool) -> None:
    """Before it starts anything: each of the files is looked for."""
    needs = NEEDS[name, contained]
    for number in range(len(needs)):
        for path in needs[:number]:
            node.has(path)
        ran = node.run(made(name, contained))
        assert ran.code == 1
        assert "see the comments at the top of this script" in ran.err
        assert ran.said == []


def test_the_check_counts(node: Node) -> None:
    """Four interfaces, each listed twice, and eight GPUs; one less of either fails, with words."""
    script = script_of(JOBS["efa-check"], a_slurm_cluster(), JobOptions())
    ran = node.run(script)
    assert (ran.code, ran.err) == (0, "")
    assert ": 4 of 4\n" in ran.out
    assert ": 8 of 8\n" in ran.out
    for name, body, words in [
        ("fi_info", "echo 'domain: rdmap0-rdm'", ": 1 of 4\nfi_info does not list every EFA device"),
        ("nvidia-smi", "seq -f 'GPU %g: NVIDIA A100' 0 6", ": 7 of 8\nnvidia-smi does not list every GPU"),
    ]:
        (node.root / "bin" / name).write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
        ran = node.run(script)
        assert ran.code == 1
        assert words in ran.out
