"""NCCL's all-reduce over every GPU and EFA interface of a queue's nodes.

In a container, after awsome-distributed-ai (`micro-benchmarks/nccl-tests/slurm/nccl-tests-container.sbatch`): Slurm
starts one process per GPU, and PMIx connects them. Without containers, after its `nccl-tests-ami.sbatch`: Open MPI's
mpirun starts them. NCCL's settings are those of the job on Kubernetes, so that both measure the same on the same nodes.
The job uses huge pages if there are some: EFA's installer reserves them on each node.
"""

from muster.blueprint.slurm import SlurmBlueprint, SlurmGroup
from muster.jobs import images
from muster.jobs.group_selection import DoesNotFit, no_gpus
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.nccl_tests import ARGUMENTS, MPIRUN, NAME, NCCL, PROGRAM, without_kernels
from muster.jobs.slurm import job_environment
from muster.jobs.slurm.allocation import CPUS, Allocation, allocation, worker_group
from muster.jobs.slurm.batch_script import STRICT, Script, exit_unless, export_lines, shell_command, shell_words
from muster.jobs.slurm.job_environment import INTERFACES, NCCL_AND_MPI, Container, container_for, library_path, mpi_hook
from muster.jobs.worker_set import require_both
from muster.versions import NCCL_TESTS_IMAGE


def script(blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """The batch script for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    group = worker_group(blueprint, ask, no_gpus, "GPUs and EFA")
    made, container = require_both(
        lambda: allocation(blueprint, group, ask, one_task=False), lambda: _container(blueprint, group, ask)
    )
    before, body = _contained(blueprint, container) if container else _plain(blueprint, made)
    known = not container or ask.image is not None
    return Script(
        name=NAME,
        stack=blueprint.stack,
        submit_on=blueprint.environment.submit_on,
        group=group,
        # A single failure is the result; a retry on other nodes would hide it.
        requested={**made.options, "no-requeue": ""},
        before=before,
        body=(*STRICT, "", *body),
        notes=(
            *made.notes,
            *(container.notes if container else ()),
            *(() if known else images.unknown_driver_on_slurm(blueprint)),
        ),
    )


def _container(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions) -> Container | None:
    folder = job_environment.optional_shared_folder(blueprint, ask)
    container = container_for(blueprint, group, ask, NAME, NCCL_TESTS_IMAGE, folder)
    if container and ask.image is None and (reason := without_kernels(group)):
        raise DoesNotFit(reason)
    return container


_EFA = (
    "# libfabric >= 1.18 and aws-ofi-nccl >= 1.7 find EFA automatically, without FI_PROVIDER and",
    "# FI_EFA_USE_DEVICE_RDMA. EFA uses huge pages, which its installer reserves on every node.",
)


def _contained(blueprint: SlurmBlueprint, container: Container) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The commands to run before, and the script."""
    return (
        (*container.imports, *mpi_hook(blueprint)),
        (
            *container.found,
            "",
            *_EFA,
            *export_lines({**NCCL, **INTERFACES}),
            "",
            *shell_command(
                f"srun --mpi=pmix --cpu-bind=none {CPUS}",
                *container.options,
                shell_words((PROGRAM, *ARGUMENTS)),
            ),
        ),
    )


def _plain(blueprint: SlurmBlueprint, made: Allocation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The same, with the programs on the nodes."""
    needs = (
        (
            "The nodes need NCCL and nccl-tests: in their image, or from AWS's post-install script `nccl`",
            "(post-install: {scripts: [{at: .../nccl/postinstall.sh, arguments: [NCCL, AWS-OFI-NCCL]}]}).",
        )
        if blueprint.environment.has_post_install
        else ("The nodes need NCCL and nccl-tests: in their image, or from your own script.",)
    )
    return (
        (
            *needs,
            f"If all_reduce_perf is not {PROGRAM}, give its path: sbatch {NAME}.sbatch PATH",
        ),
        (
            f'test="${{1:-{PROGRAM}}}"',
            *exit_unless('-x "$test"', "no $test on $(hostname): see the comments at the top of this script"),
            "",
            *_EFA,
            *export_lines({**NCCL, **INTERFACES}),
            library_path(NCCL_AND_MPI),
            "",
            *shell_command(
                f"{MPIRUN} -np {made.nodes * made.processes} -N {made.processes} --bind-to none",
                " ".join(f"-x {name}" for name in ("LD_LIBRARY_PATH", *NCCL, *INTERFACES)),
                f'"$test" {shell_words(ARGUMENTS)}',
            ),
        ),
    )
