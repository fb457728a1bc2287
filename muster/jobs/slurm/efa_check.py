"""Checks that GPUs and EFA work on every node of a queue: each node counts its devices, with its installed programs.

The counts are those of the check on Kubernetes (`muster.jobs.efa_check`).
"""

from muster.blueprint.slurm import SlurmBlueprint
from muster.jobs.efa_check import NAME, counting, expected
from muster.jobs.group_selection import DoesNotFit
from muster.jobs.job_metadata import refuse_file_system
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.slurm.allocation import CPUS, allocation, worker_group
from muster.jobs.slurm.batch_script import STRICT, Script, export_lines


def script(blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """The batch script for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    refuse_file_system(NAME, ask)
    if ask.image is not None:
        raise DoesNotFit(f"{NAME} checks the nodes themselves, without a container; leave out --image {ask.image}")
    group = worker_group(blueprint, ask, lambda _group: "", "EFA")
    made = allocation(blueprint, group, ask, one_task=True)
    return Script(
        name=NAME,
        stack=blueprint.stack,
        submit_on=blueprint.environment.submit_on,
        group=group,
        requested={**made.options, "no-requeue": ""},
        before=(),
        body=(
            *STRICT,
            "",
            *export_lines(expected(group.node.efa, made.gpus)),
            "",
            "count() {",
            "  NODE=$(hostname)",
            *(f"  {line}" for line in counting(made.gpus).splitlines()),
            "  return $failed",
            "}",
            "export -f count",
            # Every node is checked, regardless of the others.
            f"srun --label --kill-on-bad-exit=0 {CPUS} bash -c count",
        ),
        notes=made.notes,
    )
