"""BERT-large pre-training on Trainium1, and the compilation before it: one torchrun a node, a process for each core.

After aws-neuron/aws-neuron-samples, `torch-neuronx/training/dp_bert_hf_pretrain`, its script for Slurm
(`run_dp_bert_large_hf_pretrain_bf16_s128.sh`), and aws-neuron-parallelcluster-samples, `dp-bert-launch-job.md`, which
sends it: environment, the reserved port, and how nodes meet are theirs. The script's arguments are those of
`muster.jobs.bert`, so that a job is the same on either kind of cluster. What is otherwise here:

- `CCOM_SOCKET_IFNAME=eth0`, the tutorial's for pods, is left out: the nodes' interface is called otherwise.
- Caches are on the file system, a node's by its number in the job, as there: two at once would corrupt one.
- Gradient accumulation stays as it is, however many nodes there are: more of them make larger batches.

Inferred: that the container trains; Enroot gives it all of the node's /dev, and so the Neuron devices.
"""

from muster.blueprint.slurm import SlurmBlueprint, SlurmGroup
from muster.jobs import bert
from muster.jobs import bert as trn1_precompile
from muster.jobs import bert as trn1_pretrain
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
"""The sample's, on Slurm."""

_COLLECTIVES_PORT = 48620
"""Neuron's collectives listen there; the sample keeps the kernel from giving it to others."""

_RESERVED = "net.ipv4.ip_local_reserved_ports"
"""The kernel's list of such ports: who writes it replaces the whole."""

_OF_EACH_NODE = "# shellcheck disable=SC2016  # each node's shell reads these, not this one"

_INDEX = "https://pip.repos.neuron.amazonaws.com"
_PACKAGES = "'torch-neuronx==2.6.*' 'neuronx-cc==2.*'"
"""The release of the image in `muster.versions`, by its version of PyTorch; later ones train on Trainium2 alone."""

_DATA = "s3://neuron-s3/training_datasets/bert_pretrain_wikicorpus_tokenized_hdf5"


def precompile(blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """The batch script that compiles.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return _script(blueprint, ask, trn1_precompile.PRECOMPILE_RUN, ())


def pretrain(blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """The batch script that trains.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    first = (
        f"{trn1_precompile.PRECOMPILE} comes first, with as many nodes: else each graph is compiled when training "
        "meets it"
    )
    return _script(blueprint, ask, trn1_pretrain.PRETRAIN_RUN, (first, _BEGINS_ANEW))


_BEGINS_ANEW = (
    "when a node fails, the job ends, and one that is sent again begins from the first step: the script resumes from "
    "its checkpoints only with --resume_ckpt"
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
        group=group,
        requested={**made.options, "no-requeue": ""},
        before=(*(container.imports if container else _installed(programs)), *_data(folder)),
        body=(
            *STRICT,
            "",
            *(container.found if container else _found(programs)),
            *exit_unless(f"-d {folder}/{bert.DATASET}", "no data set: the head of this script says how to load it"),
            "",
            "# Neuron's runtime has to be told of EFA.",
            *export_lines(ENVIRONMENT),
            *(() if container else ('export PATH="$home/env/bin:/opt/aws/neuron/bin:$PATH"',)),
            "",
            "# The port that Neuron's collectives listen on is to be nobody else's; what a node has reserved stays so.",
            _OF_EACH_NODE,
            "srun --ntasks-per-node=1 --cpus-per-task=1 bash -c '",
            f"  had=$(cat /proc/sys/{_RESERVED.replace('.', '/')} 2>/dev/null)",
            f'  sudo -n sysctl -q -w "{_RESERVED}=${{had:+$had,}}{_COLLECTIVES_PORT}"',
            f'\' || echo "port {_COLLECTIVES_PORT} is not reserved: training fails where something else has it" >&2',
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
    """Shell lines that bring the code and its packages to where all nodes see them."""
    return (
        f"mkdir -p {programs}",
        *BERT_CODE.steps(f"{programs}/src"),
        f"python3 -m venv {programs}/env",
        f"{programs}/env/bin/pip install --extra-index-url {_INDEX} {_PACKAGES}",
        f"{programs}/env/bin/pip install -r {programs}/src/requirements.txt",
        "(Neuron's driver and runtime are on the nodes: their image has them.)",
    )


def _data(folder: str) -> tuple[str, ...]:
    return (
        f"aws s3 cp --no-sign-request {_DATA}/{bert.DATASET}.tar {folder}/   # 50 GB and more",
        f"tar xf {folder}/{bert.DATASET}.tar -C {folder}",
    )


def _found(programs: str) -> tuple[str, ...]:
    return (
        f"home={programs}",
        *exit_unless('-x "$home/env/bin/torchrun"', "no $home/env: the head of this script says how to make it"),
    )


def _training(made: Allocation, container: Container | None, run: bert.BertRun, folder: str) -> tuple[str, ...]:
    """What each node runs. The node's shell expands its number and the variables above."""
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
