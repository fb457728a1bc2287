"""What batch scripts say to bash: its syntax, the environment, how nodes meet, what is looked for before."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from muster.jobs import bert, nccl_tests, pytorch_fsdp
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, Script, script_of
from muster.size import Size
from tests.jobs.slurm.clusters import FSX, PYXIS, a_group, a_queue, a_slurm_cluster


def every() -> Iterator[tuple[str, Script]]:
    """Every job with and without containers, whole and in parts, stored and not, on several types."""
    instances = ("p4de.24xlarge", "p5.48xlarge", "g5.8xlarge", "trn1.32xlarge")
    systems = ((PYXIS, "alinux2023"), (None, "ubuntu2404"), (None, "rhel9"))
    asks = (JobOptions(), JobOptions(devices=1, nodes=1))
    for instance, (post_install, os), storage in product(instances, systems, (FSX, None)):
        blueprint = a_slurm_cluster(
            {"train": a_queue({"workers": a_group(instance=instance)}, exclusive=False)},
            post_install=post_install,
            os=os,
            storage=storage,
            slurm={"memory-scheduling": os == "ubuntu2404"},
        )
        for (name, job), ask in product(JOBS.items(), asks):
            with suppress(DoesNotFit):
                made = script_of(job, blueprint, ask)
                yield f"{name}-{instance}-{os}-{'stored' if storage else 'bare'}-{ask.devices or 'all'}", made


EVERY = dict(every())


def test_every_job_is_among_them() -> None:
    """With containers and without, in parts and whole."""
    assert {made.name for made in EVERY.values()} == {name for name, job in JOBS.items() if job.sbatch}
    assert len(EVERY) > 60


def test_bash_reads_them() -> None:
    """As they stand."""
    for name, made in EVERY.items():
        ran = subprocess.run(["bash", "-n"], input=made.text, text=True, capture_output=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, ""), name


def test_shellcheck_has_nothing_to_say(tmp_path: Path) -> None:
    """Not even of style."""
    for name, made in EVERY.items():
        (tmp_path / f"{name}.sbatch").write_text(made.text, encoding="utf-8")
    shellcheck = Path(sys.executable).with_name("shellcheck")
    files = sorted(tmp_path.iterdir())
    command = [str(shellcheck), "--shell=bash", "--severity=style", *map(str, files)]
    ran = subprocess.run(command, text=True, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_options_come_first_and_each_once() -> None:
    """`sbatch` reads none behind the first command, and of two it takes the later."""
    for name, made in EVERY.items():
        lines = made.text.splitlines()
        said = [line for line in lines if line.startswith("#SBATCH ")]
        first = next(index for index, line in enumerate(lines) if line and not line.startswith("#"))
        assert all(line in lines[:first] for line in said), name
        options = [line.removeprefix("#SBATCH --").partition("=")[0] for line in said]
        assert options == list(made.options), name
        assert said[0] == f"#SBATCH --job-name={made.name}"
        assert made.options["wait-all-nodes"] == "1"


COMMANDS = {"aws", "docker", "echo", "enroot", "export", "git", "ln", "mkdir", "mv", "pip", "python3", "rm", "tar"}
"""What somebody needs on the head node."""


def test_what_comes_before_would_run() -> None:
    """Each line of it is a command, or words in brackets; but for the NCCL test without containers: it is words."""
    for name, made in EVERY.items():
        lines = [line for line in made.before if not line.startswith("(")]
        if made.name == "nccl-tests" and "--container-image" not in made.text:
            assert not {line.split()[0] for line in lines} & COMMANDS
            continue
        ran = subprocess.run(["bash", "-n"], input="\n".join(lines), text=True, capture_output=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, ""), name
        commands = "\n".join(lines).replace("\\\n", "").splitlines()
        assert {line.split()[0].rpartition("/")[2] for line in commands} <= COMMANDS, name


def environment(made: Script) -> dict[str, str]:
    """What it exports, but for paths."""
    lines = (shlex.split(line)[1] for line in made.body if re.match(r"export [A-Z0-9_]+='?[^\"]*$", line))
    return dict(line.split("=", 1) for line in lines)


def gpu(name: str, **said: object) -> Script:
    return script_of(JOBS[name], a_slurm_cluster(**said))  # type: ignore[arg-type]


def trn1(name: str, **said: object) -> Script:
    queues = {"compute": a_queue({"workers": a_group(instance="trn1.32xlarge")})}
    return script_of(JOBS[name], a_slurm_cluster(queues, **said))  # type: ignore[arg-type]


NCCL = {"NCCL_DEBUG": "INFO", "NCCL_SOCKET_IFNAME": "^docker,lo,veth"}


def test_the_environment_of_fsdp() -> None:
    """The example's, with what forks need, on the node's disks and the file system where there are any."""
    wanted = {
        **pytorch_fsdp.ENVIRONMENT,
        "NCCL_SOCKET_IFNAME": "^docker,lo,veth",
        "TORCH_NCCL_DEBUG_INFO_TEMP_FILE": "/local_scratch/nccl_trace_rank_",
        "FI_EFA_USE_HUGE_PAGE": "0",
        "HF_HOME": "/fsx/hf_cache",
        "HF_HUB_ETAG_TIMEOUT": "60",
    }
    assert environment(gpu("pytorch-fsdp")) == wanted
    assert environment(gpu("pytorch-fsdp", os="ubuntu2404")) == wanted
    for os in ("rhel8", "rhel9"):
        old = environment(gpu("pytorch-fsdp", os=os, post_install=None))
        assert old == {**wanted, "FI_EFA_FORK_SAFE": "1"}, "a kernel below 5.15"
    queues = {"q": a_queue({"w": a_group(instance="g5.8xlarge")})}
    small = environment(script_of(JOBS["pytorch-fsdp"], a_slurm_cluster(queues, storage=None)))
    assert small["NCCL_SHM_USE_CUDA_MEMCPY"] == "1"
    assert "HF_HOME" not in small


def test_pytorch_keeps_its_own_nccl_and_cuda() -> None:
    """Of the nodes' it finds the plugin and libfabric alone; programs built there find all."""
    (torch,), (tests,) = (
        re.findall(r'export LD_LIBRARY_PATH="([^$]*)', gpu(name, post_install=None).text)
        for name in ("pytorch-fsdp", "nccl-tests")
    )
    assert set(tests.split(":")) - set(torch.split(":")) == {
        "/opt/nccl/build/lib",
        "/opt/amazon/openmpi/lib",
        "/opt/amazon/openmpi/lib64",
        "/usr/local/cuda/lib64",
    }


@pytest.mark.parametrize("name", ["trn1-pretrain", "trn1-precompile"])
def test_the_environment_of_trainium(name: str) -> None:
    """The sample's for Slurm: Neuron's runtime is told of EFA, and of no interface of a pod's."""
    for post_install in (PYXIS, None):
        assert environment(trn1(name, post_install=post_install)) == {
            "FI_EFA_FORK_SAFE": "1",
            "FI_EFA_USE_DEVICE_RDMA": "1",
            "FI_PROVIDER": "efa",
            "NEURON_RT_RESET_CORES": "1",
            "XLA_TRANSFER_SEED_ASYNC": "1",
            "BUCKET_CAP_MB": "512",
        }


def test_programs_and_arguments_are_those_of_the_manifests() -> None:
    """One catalogue: what runs is the same on either kind of cluster."""
    assert f"  {nccl_tests.PROGRAM} -b 8 -e 16G -f 2 -g 1 -c 1 -n 100" in gpu("nccl-tests").body
    fsdp = [line.strip(" \\") for line in gpu("pytorch-fsdp").body]
    assert tuple(fsdp[fsdp.index(pytorch_fsdp.SCRIPT) + 1 :]) == pytorch_fsdp.arguments("/fsx")
    for name, more in (("trn1-pretrain", ()), ("trn1-precompile", ("--steps_this_run=10",))):
        lines = [line.strip(" \\") for line in trn1(name).body]
        start = lines.index(bert.SCRIPT)
        assert tuple(lines[start + 1 : -1]) == (*bert.arguments("/fsx"), *more)


def test_compiling_is_around_ten_steps() -> None:
    """As the tutorial's: the same processes, under `neuron_parallel_compile`."""
    training, compiling = trn1("trn1-pretrain").body, trn1("trn1-precompile").body
    assert "    exec torchrun \\" in training
    assert "    exec neuron_parallel_compile torchrun \\" in compiling
    assert {line for line in compiling if line not in training} == {
        "    exec neuron_parallel_compile torchrun \\",
        "      --output_dir=/fsx/output \\",
        "      --steps_this_run=10",
    }


def test_a_file_system_by_another_name() -> None:
    """It is mounted there, and everything is there: images, data, checkpoints, caches."""
    storage = {"data": {"lustre": {"size": "1200GiB", "throughput": 250}}}
    for made in (gpu("pytorch-fsdp", storage=storage), trn1("trn1-pretrain", storage=storage)):
        assert "/fsx" not in made.text.replace("/fsdp", "")
        assert "/data/" in made.text
    assert "--container-mounts=/data:/data,/local_scratch:/local_scratch" in gpu("nccl-tests", storage=storage).text


def test_without_a_file_system() -> None:
    """Images and programs are where the head node exports them; nothing is kept, and that is said."""
    made = gpu("pytorch-fsdp", storage=None)
    assert "image=/apps/images/pytorch-fsdp.sqsh" in made.body
    assert "checkpoint_dir" not in made.text
    assert (
        "the stack has no file system: the job keeps no checkpoints, and starts from the beginning after a failure"
    ) in made.notes
    assert "--container-mounts=/local_scratch:/local_scratch" in made.text


def test_what_fails_once_is_not_tried_again_but_what_resumes_is() -> None:
    """A test that failed is the finding; FSDP goes on from its checkpoints, and writes on in its log."""
    again = {name for name, made in {each.name: each for each in EVERY.values()}.items() if "requeue" in made.options}
    assert again == {"pytorch-fsdp"}
    assert {made.options.get("open-mode") for made in EVERY.values() if made.name == "pytorch-fsdp"} == {"append"}
    assert all(("requeue" in made.options) != ("no-requeue" in made.options) for made in EVERY.values())


def test_no_memory_is_asked_for_where_slurm_counts_none() -> None:
    """And all of it, where it does: --exclusive alone takes none."""
    assert "mem" not in gpu("nccl-tests").options
    assert gpu("nccl-tests", slurm={"memory-scheduling": True}).options["mem"] == "0"
    blueprint = a_slurm_cluster(slurm={"memory-scheduling": True})
    assert script_of(JOBS["nccl-tests"], blueprint, JobOptions(memory=Size(8000))).options["mem"] == "8000M"
