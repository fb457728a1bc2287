"""BERT-large pre-training on Trainium1, and its compilation: one torchrun per node, one process per core.

After aws-neuron/aws-neuron-samples, `torch-neuronx/training/dp_bert_hf_pretrain`, its script for Slurm
(`run_dp_bert_large_hf_pretrain_bf16_s128.sh`), and aws-neuron-parallelcluster-samples, `dp-bert-launch-job.md`, which
submits it: the environment, the reserved port, and the rendezvous are the same. The script's arguments are those of
`muster.jobs.bert`, so that a job is the same on both kinds of clusters. The differences:

- `CCOM_SOCKET_IFNAME=eth0`, which the tutorial sets for pods, is left out: the nodes' interface has another name.
- Caches are on the file system, one for each node by its number in the job, as in the sample: two nodes would corrupt a
  shared cache.
- Gradient accumulation does not depend on the number of nodes: more nodes make larger batches.

Inferred: that the container trains. Enroot gives it the node's whole /dev, and with it the Neuron devices.
"""

from muster.blueprint.slurm import SlurmBlueprint, SlurmGroup
from muster.jobs import bert
from muster.jobs.images import BERT_CODE
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.slurm import job_environment
from muster.jobs.slurm.allocation import CPUS, Allocation, allocation, worker_group
from muster.jobs.slurm.batch_script import (
    FIRST_NODE,
    STRICT,
    Script,
    exit_unless,
    export_lines,
    shell_command,
    shell_words,
)
from muster.jobs.slurm.job_environment import Container, container_for
from muster.jobs.worker_set import require_both

ENVIRONMENT = {**bert.NEURON, "BUCKET_CAP_MB": "512"}
"""The environment of the sample for Slurm."""

_COLLECTIVES_PORT = 48620
"""The port of Neuron's collectives; the sample reserves it in the kernel."""

_RESERVED = "net.ipv4.ip_local_reserved_ports"
"""The kernel's list of reserved ports. Writing it replaces the whole list."""

_OF_EACH_NODE = "# shellcheck disable=SC2016  # the shell of each node expands these variables, not this shell"

_INDEX = "https://pip.repos.neuron.amazonaws.com"
_PACKAGES = "'torch-neuronx==2.6.*' 'neuronx-cc==2.*'"
"""The release of the image in `muster.versions`, by its version of PyTorch; later ones train only on Trainium2."""

_DATA = "s3://neuron-s3/training_datasets/bert_pretrain_wikicorpus_tokenized_hdf5"


def precompile(blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """The batch script that compiles.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return _script(blueprint, ask, bert.PRECOMPILE_RUN, ())


def pretrain(blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """The batch script that trains.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    first = (
        f"run {bert.PRECOMPILE} first, with the same number of nodes: otherwise training compiles each "
        "graph when it first needs it"
    )
    return _script(blueprint, ask, bert.PRETRAIN_RUN, (first, _BEGINS_ANEW))


_BEGINS_ANEW = (
    "when a node fails, the job ends, and a new submission starts from the first step: the script resumes from its "
    "checkpoints only with --resume_ckpt"
)


def _script(blueprint: SlurmBlueprint, ask: JobOptions, run: bert.BertRun, notes: tuple[str, ...]) -> Script:
    group = worker_group(blueprint, ask, bert.no_trainium, f"{bert.MODEL} and EFA")
    made, (folder, container) = require_both(
        lambda: allocation(blueprint, group, ask, one_task=True), lambda: _place(blueprint, group, ask)
    )
    programs = f"{folder}/{bert.IMAGE}"
    return Script(
        name=run.name,
        stack=blueprint.stack,
        submit_on=blueprint.environment.submit_on,
        group=group,
        requested={**made.options, "no-requeue": ""},
        before=(*(container.imports if container else _installed(programs)), *_data(folder)),
        body=(
            *STRICT,
            "",
            *(container.found if container else job_environment.find_torchrun(programs)),
            *exit_unless(f"-d {folder}/{bert.DATASET}", "no data set: see the comments at the top of this script"),
            "",
            "# Neuron's runtime needs these variables to use EFA.",
            *export_lines(ENVIRONMENT),
            *(() if container else ('export PATH="$home/env/bin:/opt/aws/neuron/bin:$PATH"',)),
            "",
            "# Reserve the port of Neuron's collectives on each node, and keep the ports that are already reserved.",
            _OF_EACH_NODE,
            "srun --ntasks-per-node=1 --cpus-per-task=1 bash -c '",
            f"  had=$(cat /proc/sys/{_RESERVED.replace('.', '/')} 2>/dev/null)",
            f'  sudo -n sysctl -q -w "{_RESERVED}=${{had:+$had,}}{_COLLECTIVES_PORT}"',
            f'\' || echo "port {_COLLECTIVES_PORT} is not reserved: training fails if another program uses it" >&2',
            "",
            FIRST_NODE,
            "export first_node",
            *_training(made, container, run, folder),
        ),
        notes=(*made.notes, *(container.notes if container else ()), *notes),
    )


def _place(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions) -> tuple[str, Container | None]:
    """The shared file system, and the container."""
    folder = job_environment.shared_folder(blueprint, ask)
    return folder, container_for(blueprint, group, ask, bert.IMAGE, None, folder)


def _installed(programs: str) -> tuple[str, ...]:
    """Shell lines that install the code and its packages in a folder that all nodes can read."""
    return (
        f"mkdir -p {programs}",
        *BERT_CODE.steps(f"{programs}/src"),
        f"python3 -m venv {programs}/env",
        f"{programs}/env/bin/pip install --extra-index-url {_INDEX} {_PACKAGES}",
        f"{programs}/env/bin/pip install -r {programs}/src/requirements.txt",
        "(The image of the nodes already has Neuron's driver and runtime.)",
    )


def _data(folder: str) -> tuple[str, ...]:
    return (
        f"aws s3 cp --no-sign-request {_DATA}/{bert.DATASET}.tar {folder}/   # more than 50 GB",
        f"tar xf {folder}/{bert.DATASET}.tar -C {folder}",
    )


def _training(made: Allocation, container: Container | None, run: bert.BertRun, folder: str) -> tuple[str, ...]:
    """The command on each node. The node's shell expands its number and the variables above."""
    program = bert.SCRIPT if container else f"{folder}/{bert.IMAGE}/src/{bert.SCRIPT.rpartition('/')[2]}"
    meeting = bert.rendezvous_arguments('"$SLURM_JOB_NUM_NODES"', made.processes, '"$SLURM_NODEID"', '"$first_node"')
    return (
        _OF_EACH_NODE,
        *shell_command(
            f"srun --label --kill-on-bad-exit=1 {CPUS}",
            *(container.options if container else ()),
            "bash -c '",
        )[:-1],
        "  bash -c '",
        *(f"    {line}" for line in bert.caches("$SLURM_NODEID", folder)),
        *(
            f"    {line}"
            for line in shell_command(
                " ".join(filter(None, ("exec", run.wrapper, "torchrun"))),
                meeting,
                program,
                *(shell_words((each,)) for each in (*bert.arguments(folder), *run.arguments)),
            )
        ),
        "  '",
    )
