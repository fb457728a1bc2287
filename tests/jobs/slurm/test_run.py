"""The scripts run under bash, with programs that only say what they were called with in place of Slurm's and AWS's."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from muster.jobs.catalogue import JOBS
from muster.jobs.slurm_jobs import Script
from muster.jobs.slurm_jobs import make as script_of
from tests.factories import DROP
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
class Node:
    """A node of the cluster, in a folder."""

    root: Path

    def run(self, script: Script) -> tuple[int, str, str, list[str]]:
        """Code, stdout, stderr, and every program that was called with its arguments."""
        text, said = script.text, self.root / "said"
        said.write_text("", encoding="utf-8")
        for path in ("/fsx", "/opt/amazon/efa/bin/", "/opt/amazon/openmpi/bin/", PROGRAM):
            place = {"/fsx": f"{self.root}/fsx", PROGRAM: f"{self.root}/bin/all_reduce_perf"}
            text = text.replace(path, place.get(path, f"{self.root}/bin/"))
        file = self.root / f"{script.name}.sbatch"
        file.write_text(text, encoding="utf-8")
        path = f"{self.root}/bin:{os.environ['PATH']}"
        environment = {"PATH": path, "SAID": str(said), "HOME": str(self.root), **ENVIRONMENT}
        ran = subprocess.run(["bash", str(file)], env=environment, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout, ran.stderr, said.read_text(encoding="utf-8").splitlines()

    def has(self, path: str, body: str = _SAYS) -> None:
        """A file that somebody brought, as the head of a script says."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
        file.chmod(0o755)


@pytest.fixture
def node(tmp_path: Path) -> Node:
    made = Node(tmp_path)
    for name, body in PROGRAMS.items():
        made.has(f"bin/{name}", body)
    return made


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


@pytest.mark.parametrize(("name", "contained"), NEEDS)
def test_it_runs_where_all_is_there_and_else_ends_with_words(node: Node, name: str, contained: bool) -> None:
    """Before it starts anything each of the files is looked for; then it says nothing of its own."""
    queues = TRN1 if name.startswith("trn1") else None
    script = script_of(JOBS[name], a_slurm_cluster(queues, **({} if contained else {"post_install": DROP})))
    for path in NEEDS[name, contained]:
        code, _, err, said = node.run(script)
        assert (code, said) == (1, [])
        assert "see the comments at the top of this script" in err
        node.has(path)
    code, _, err, said = node.run(script)
    assert (code, err) == (0, "")
    assert "srun" in said
    assert any(line.startswith("--container-image=") for line in said) is contained


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("fi_info", PROGRAMS["fi_info"], ": 4 of 4\n"),
        ("nvidia-smi", PROGRAMS["nvidia-smi"], ": 8 of 8\n"),
        ("fi_info", "echo 'domain: rdmap0-rdm'", ": 1 of 4\nfi_info does not list every EFA device"),
        ("nvidia-smi", "seq -f 'GPU %g: NVIDIA A100' 0 6", ": 7 of 8\nnvidia-smi does not list every GPU"),
    ],
)
def test_the_check_counts(node: Node, name: str, body: str, words: str) -> None:
    """Four interfaces, each listed twice, and eight GPUs; one less of either fails, with words."""
    node.has(f"bin/{name}", body)
    code, out, err, _ = node.run(script_of(JOBS["efa-check"], a_slurm_cluster()))
    assert (code, err) == (int(body != PROGRAMS[name]), "")
    assert words in out
