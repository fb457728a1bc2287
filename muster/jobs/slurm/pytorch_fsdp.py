"""PyTorch FSDP over every GPU and EFA interface of a queue's nodes.

After awsome-distributed-ai, `3.test_cases/pytorch/FSDP/slurm/llama3_1_8b-training.sbatch` (with the same model and
arguments): Slurm starts one torchrun per node, which starts one process per GPU. The rendezvous is at the first node.
The differences:

- The environment of EFA is that of `1.architectures/efa-cheatsheet.md` for libfabric >= 1.18: `FI_PROVIDER` and
  `FI_EFA_SET_CUDA_SYNC_MEMOPS`, which the example sets, are no longer needed.
- Checkpoints and the cache of Hugging Face's library are on the file system: on /home, which is NFS, locks of many
  processes fail (the same repository, `architectures/aws-pcs/tests/training-test.md`).
- When the processes of one node fail, the others are ended: otherwise they would hold their nodes until NCCL's timeout.
- Slurm requeues a job that loses a node, and the job resumes from its newest checkpoint.
"""

from muster.blueprint.slurm import SlurmBlueprint, SlurmGroup
from muster.jobs import images
from muster.jobs.group_selection import DoesNotFit, no_gpus
from muster.jobs.images import FSDP_CODE
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.nccl_tests import without_kernels
from muster.jobs.pytorch_fsdp import (
    ENVIRONMENT,
    IMAGE,
    NAME,
    NO_CHECKPOINTS,
    SCRIPT,
    TRACES,
    arguments,
    copies,
)
from muster.jobs.slurm import job_environment
from muster.jobs.slurm.allocation import CPUS, Allocation, allocation, worker_group
from muster.jobs.slurm.batch_script import (
    FIRST_NODE,
    STRICT,
    Script,
    export_lines,
    shell_command,
    shell_words,
)
from muster.jobs.slurm.job_environment import INTERFACES, PLUGIN, Container, container_for, fork_variables, library_path
from muster.jobs.worker_set import require_both
from muster.versions import CUDA, FSDP_INDEX, FSDP_PACKAGES

PORT = 29500

_HUGGING_FACE = (
    "export HF_TOKEN=hf_...   # in the shell that submits the job: the dataset is streamed from Hugging Face"
)


def script(blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """The batch script for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    group = worker_group(blueprint, ask, no_gpus, "GPUs and EFA")
    made, (folder, container) = require_both(
        lambda: allocation(blueprint, group, ask, one_task=True), lambda: _place(blueprint, group, ask)
    )
    programs = f"{job_environment.program_folder(blueprint, folder)}/{NAME}"
    return Script(
        name=NAME,
        stack=blueprint.stack,
        submit_on=blueprint.environment.submit_on,
        group=group,
        requested={**made.options, "requeue": "", "open-mode": "append"},
        before=(*(container.imports if container else _installed(programs)), _HUGGING_FACE),
        body=(
            *STRICT,
            "",
            *(container.found if container else job_environment.find_torchrun(programs)),
            "",
            *_EFA,
            *export_lines(_environment(blueprint, group, folder)),
            *(() if container else (library_path(PLUGIN),)),
            "",
            FIRST_NODE,
            *_training(made, container, folder),
        ),
        notes=(
            *made.notes,
            *(container.notes if container else ()),
            *(() if folder else (f"the stack has no file system: {NO_CHECKPOINTS}",)),
            *(() if ask.image else images.unknown_driver_on_slurm(blueprint)),
        ),
    )


def _place(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions) -> tuple[str | None, Container | None]:
    """The shared file system, and the container."""
    folder = job_environment.optional_shared_folder(blueprint, ask)
    container = container_for(blueprint, group, ask, IMAGE, None, folder)
    if ask.image is None and (reason := without_kernels(group) if container else _too_old(group)):
        raise DoesNotFit(reason)
    return folder, container


def _too_old(group: SlurmGroup) -> str:
    """Why PyTorch's packages cannot run on a group; empty if they can."""
    machine = group.node.hardware
    if machine.accelerator_model != "V100":
        return ""
    return (
        f"group '{group.name}' has V100 GPUs ({machine.instance}), which CUDA {CUDA} does not support; "
        "use a group with newer GPUs"
    )


_EFA = (
    "# EFA is found automatically. It uses no huge pages: data loaders fork, and a fork of a process that holds",
    "# huge pages fails if no more of them are free.",
)


def _environment(blueprint: SlurmBlueprint, group: SlurmGroup, folder: str | None) -> dict[str, str]:
    return {
        **ENVIRONMENT,
        **INTERFACES,
        TRACES: f"{job_environment.local_folder(blueprint, group) or job_environment.TEMPORARY}/nccl_trace_rank_",
        **fork_variables(blueprint),
        **copies(group),
        **({"HF_HOME": f"{folder}/hf_cache"} if folder else {}),
        "HF_HUB_ETAG_TIMEOUT": "60",
    }


def _installed(programs: str) -> tuple[str, ...]:
    """Shell lines that install the code and its packages in a folder that all nodes can read."""
    return (
        f"mkdir -p {programs}",
        *FSDP_CODE.steps(f"{programs}/src"),
        f"python3 -m venv {programs}/env",
        f"{programs}/env/bin/pip install --extra-index-url {FSDP_INDEX} \\",
        f"  {FSDP_PACKAGES}",
    )


def _training(made: Allocation, container: Container | None, folder: str | None) -> tuple[str, ...]:
    torchrun, program = ("torchrun", SCRIPT) if container else ('"$home/env/bin/torchrun"', '"$home/src/train.py"')
    return shell_command(
        " ".join(("srun", *made.blueprint.environment.step_options, "--label --kill-on-bad-exit=1", CPUS)),
        *(container.options if container else ()),
        torchrun,
        f'--nnodes="$SLURM_JOB_NUM_NODES" --nproc_per_node={made.processes}',
        f'--rdzv_id="$SLURM_JOB_ID" --rdzv_backend=c10d --rdzv_endpoint="$first_node:{PORT}"',
        program,
        *(shell_words((each,)) for each in arguments(folder)),
    )
