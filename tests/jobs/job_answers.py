"""What Muster answers where a job does not fit a cluster, or fits with notes: `tests/golden/job_answers.txt`, which
`make goldens` writes.

A row is a cluster, a job, and the options that it is requested with.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, script_of
from muster.size import Size
from tests.jobs.clusters import (
    SCRATCH,
    a_blueprint,
    a_group,
    a_hyperpod_cluster,
    a_stored_cluster,
    a_system_group,
    without,
)
from tests.jobs.slurm import clusters as slurm

FILE = Path("tests/golden/job_answers.txt")

EVERY_PLUGIN = ("nvidia-device-plugin", "neuron-device-plugin", "efa-device-plugin", "mpi-operator")
SYSTEM = {"s": a_system_group()}
LUSTRE = {"lustre": {"size": "1200GiB", "throughput": 250}}


def _groups(**more: Any) -> dict[str, Any]:
    return {"s": a_system_group(), **more}


def _on(instance: str, **options: Any) -> ClusterBlueprint:
    return a_stored_cluster(_groups(w=a_group(instance=instance)), **options)


def _on_slurm(groups: dict[str, Any], *, exclusive: bool = True, **said: Any) -> ClusterBlueprint:
    return slurm.a_slurm_cluster({"q": slurm.a_queue(groups, exclusive=exclusive)}, **said)


def _trn1(**said: Any) -> ClusterBlueprint:
    return _on_slurm({"w": slurm.a_group(instance="trn1.32xlarge")}, **said)


def _cli(**options: Any) -> ClusterBlueprint:
    return a_hyperpod_cluster(**{"hyperpod_training_operator": {}, **options})


def _several_queues() -> ClusterBlueprint:
    serving = slurm.a_group(instance="g5.12xlarge", nodes={"min": 0, "max": 10}) | {"for": "inference"}
    return slurm.a_slurm_cluster(
        {
            "compute-gpu": slurm.a_queue(
                {"a100": slurm.a_group(), "h100": slurm.a_group(instance="p5.48xlarge", nodes=2)}
            ),
            "compute-trn": slurm.a_queue({"trn": slurm.a_group(instance="trn1.32xlarge")}),
            "inference": slurm.a_queue({"serving": serving}),
        }
    )


CLUSTERS: dict[str, Callable[[], ClusterBlueprint]] = {
    "two p5": lambda: a_blueprint(_groups(a=a_group())),
    "two p5 and every plugin": lambda: a_blueprint(_groups(a=a_group()), EVERY_PLUGIN),
    "two groups of p5": lambda: a_blueprint(_groups(a=a_group(), b=a_group()), EVERY_PLUGIN),
    "no workers": lambda: a_blueprint(SYSTEM, EVERY_PLUGIN),
    "no system group": lambda: a_blueprint({"a": a_group()}),
    "no EFA and no add-ons": lambda: a_blueprint({"odd": a_group(interfaces="plain")}, ("nvidia-device-plugin",)),
    "p5 without EFA": lambda: a_blueprint(_groups(a=a_group(interfaces="plain")), EVERY_PLUGIN),
    "trn1 with plugins": lambda: a_blueprint(_groups(a=a_group(instance="trn1.32xlarge")), EVERY_PLUGIN),
    "p3dn": lambda: a_blueprint(_groups(a=a_group(instance="p3dn.24xlarge"))),
    "c5n": lambda: a_blueprint(_groups(a=a_group(instance="c5n.18xlarge"))),
    "p4d": lambda: a_blueprint(_groups(a=a_group(instance="p4d.24xlarge"))),
    "stored p5": a_stored_cluster,
    "stored p5 with two file systems": lambda: a_stored_cluster(storage={**SCRATCH, "home": SCRATCH["scratch"]}),
    "p5 without storage": lambda: without(a_stored_cluster(storage={}), "fsx-csi-driver"),
    "p5 without operator and EFA plugin": lambda: without(a_stored_cluster(), "training-operator", "efa-device-plugin"),
    "trn1": lambda: _on("trn1.32xlarge"),
    "trn1 with Neuron's scheduler": lambda: _on("trn1.32xlarge", neuron_device_plugin={"scheduler": True}),
    "trn1 without add-ons": lambda: without(_on("trn1.32xlarge"), "volcano", "fsx-csi-driver", "neuron-device-plugin"),
    "trn1 with two queues": lambda: _on("trn1.32xlarge", volcano={"queues": {"a": {}, "b": {}}}),
    "trn1 with a taint": lambda: a_stored_cluster(
        _groups(w=a_group(instance="trn1.32xlarge", taints={"team": "NoSchedule", "soft": "PreferNoSchedule"}))
    ),
    "trn1.2xlarge": lambda: _on("trn1.2xlarge"),
    "trn2": lambda: _on("trn2.48xlarge"),
    "p5 with Kueue": lambda: a_stored_cluster(kueue={"queues": {"team-a": {}, "team-b": {}}}),
    "p5 with Kueue and a claim in two namespaces": lambda: a_stored_cluster(
        kueue={"queues": {"main": {"namespace": "ml"}}}
    ),
    "HyperPod": _cli,
    "HyperPod without Kubeflow's operator": lambda: without(_cli(), "training-operator", "hyperpod"),
    "HyperPod without its own operator": lambda: without(_cli(), "hyperpod-training-operator", "hyperpod"),
    "HyperPod without operators": lambda: without(
        _cli(), "training-operator", "hyperpod-training-operator", "efa-device-plugin", "hyperpod"
    ),
    "HyperPod, p4d": lambda: _cli(groups=_groups(w=a_group(instance="p4d.24xlarge"))),
    "HyperPod with a taint": lambda: _cli(groups=_groups(w=a_group(taints={"team": "NoSchedule"}))),
    "HyperPod with a soft taint": lambda: _cli(groups=_groups(w=a_group(taints={"team": "PreferNoSchedule"}))),
    "HyperPod with a claim elsewhere": lambda: _cli(fsx_csi_driver={"namespace": "ml"}),
    "EKS with HyperPod's operator": lambda: a_stored_cluster(hyperpod_training_operator={}),
    "Slurm": slurm.a_slurm_cluster,
    "Slurm with several queues": _several_queues,
    "Slurm without containers": lambda: slurm.a_slurm_cluster(post_install=None),
    "Slurm without Docker": lambda: slurm.a_slurm_cluster(post_install={"install": ["pyxis"]}),
    "Slurm without Docker, with a registry": lambda: slurm.a_slurm_cluster(
        post_install={"install": ["pyxis"]}, registry={}
    ),
    "Slurm that counts memory": lambda: slurm.a_slurm_cluster(slurm={"memory-scheduling": True}),
    "Slurm with an image of one's own": lambda: slurm.a_slurm_cluster(image="ami-0123456789abcdef0", post_install=None),
    "Slurm without EFA": lambda: _on_slurm({"w": slurm.a_group(efa=False)}),
    "Slurm without GPUs": lambda: _on_slurm({"w": slurm.a_group(instance="m5.2xlarge")}),
    "Slurm with system nodes": lambda: _on_slurm({"w": {"for": "system", "instance": "m5.2xlarge", "nodes": 1}}),
    "Slurm with T4": lambda: _on_slurm({"w": slurm.a_group(instance="g4dn.metal")}),
    "Slurm, elastic": lambda: _on_slurm({"w": slurm.a_group(nodes={"min": 0, "max": 8})}),
    "Slurm, two nodes always": lambda: _on_slurm({"w": slurm.a_group(nodes={"min": 2, "max": 8})}),
    "Slurm, shared nodes": lambda: _on_slurm({"w": slurm.a_group()}, exclusive=False),
    "Slurm, trn1": _trn1,
    "Slurm, trn1 without storage": lambda: _trn1(storage=None),
    "Slurm, trn1 with two file systems": lambda: _trn1(storage={"a": LUSTRE, "b": LUSTRE}),
    "Slurm, p4de without storage": lambda: slurm.a_slurm_cluster(storage=None),
}
ROWS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    # Groups.
    *(("two p5", "nccl-tests", ask) for ask in ({"group": "b"}, {"group": "s"}, {"nodes": 3}, {"storage": "scratch"})),
    ("two groups of p5", "nccl-tests", {}),
    *((cluster, "nccl-tests", {}) for cluster in ("no workers", "no system group", "no EFA and no add-ons", "p3dn")),
    *((cluster, "nccl-tests", {}) for cluster in ("p5 without EFA", "trn1 with plugins")),
    *((cluster, "efa-check", {}) for cluster in ("no workers", "two groups of p5", "p5 without EFA")),
    *(("two p5 and every plugin", "efa-check", ask) for ask in ({"nodes": 9}, {"group": "s"}, {"storage": "scratch"})),
    # A worker's part of a node.
    *(("two p5", "efa-check", {"devices": number}) for number in (0, 4, 5, 9)),
    *(("two p5", "efa-check", {"devices": 1, **more}) for more in ({"memory": Size(600_000)}, {"efa": 16})),
    *(
        ("two p5", "efa-check", {"devices": 1, **more})
        for more in ({"huge_pages": Size(5120)}, {"memory": Size(1_900_000)})
    ),
    *(("two p5", "efa-check", {"efa": number}) for number in (8, 33)),
    ("two p5", "efa-check", {"devices": 4, "efa": 32}),
    *(("two p5", "efa-check", {"memory": Size(mib)}) for mib in (0, 1928135)),
    *(("two p5", "efa-check", {"huge_pages": Size(mib)}) for mib in (5121, 10258)),
    ("c5n", "efa-check", {"devices": 1}),
    ("p4d", "efa-check", {"devices": 1}),
    *(("trn1", "efa-check", {"devices": number}) for number in (2, 4)),
    # Training with FSDP.
    (
        "p5 without operator and EFA plugin",
        "pytorch-fsdp",
        {"devices": 9, "nodes": 7, "queue": "mine", "storage": "other"},
    ),
    *((cluster, "pytorch-fsdp", {}) for cluster in ("stored p5", "p5 without storage", "HyperPod")),
    ("stored p5", "pytorch-fsdp", {"image": "registry.example/fsdp:1"}),
    ("stored p5", "pytorch-fsdp", {"devices": 4}),
    ("p5 without storage", "pytorch-fsdp", {"storage": "scratch"}),
    ("HyperPod with a claim elsewhere", "pytorch-fsdp", {}),
    ("HyperPod without Kubeflow's operator", "pytorch-fsdp", {}),
    ("HyperPod without operators", "pytorch-fsdp", {}),
    # Training on Trainium.
    *(
        (cluster, "trn1-pretrain", {})
        for cluster in ("trn1", "stored p5", "trn2", "trn1.2xlarge", "trn1 without add-ons")
    ),
    ("trn1", "trn1-pretrain", {"efa": 0}),
    ("trn1", "trn1-precompile", {"image": "a.example/b:1"}),
    ("trn1 with Neuron's scheduler", "trn1-pretrain", {"devices": 4}),
    ("trn1 with two queues", "trn1-pretrain", {}),
    ("trn1 with a taint", "trn1-pretrain torchx", {}),
    # What stands beside workers.
    *(("p5 without storage", job, {}) for job in ("data-shell", "tensorboard")),
    ("stored p5", "data-shell", {"nodes": 1, "devices": 1, "huge_pages": Size(2)}),
    *(("stored p5 with two file systems", "data-shell", ask) for ask in ({}, {"storage": "hom"})),
    # Queues.
    *(("p5 with Kueue", "efa-check", ask) for ask in ({}, {"queue": "team_a"})),
    ("stored p5", "efa-check", {"queue": "main"}),
    ("p5 with Kueue and a claim in two namespaces", "pytorch-fsdp", {}),
    # The HyperPod CLI.
    ("HyperPod without its own operator", "pytorch-fsdp hyperpod-cli", {}),
    ("HyperPod without Kubeflow's operator", "pytorch-fsdp hyperpod-cli-2", {}),
    ("HyperPod", "pytorch-fsdp hyperpod-cli", {"huge_pages": Size(5120)}),
    ("HyperPod", "pytorch-fsdp hyperpod-cli-2", {"devices": 4}),
    *(("HyperPod, p4d", "pytorch-fsdp hyperpod-cli", {"devices": 1, **more}) for more in ({}, {"efa": 1})),
    *(
        (cluster, "pytorch-fsdp hyperpod-cli", {})
        for cluster in ("HyperPod with a taint", "EKS with HyperPod's operator")
    ),
    # Slurm.
    *(
        ("Slurm with several queues", "nccl-tests", ask)
        for ask in (
            *({}, {"group": "serving"}, {"group": "trn"}, {"group": "a10"}, {"group": "h100", "nodes": 3}),
            *({"queue": "compute-gp"}, {"group": "a100", "queue": "compute-trn"}, {"queue": "inference"}),
            *({"group": "a100", "devices": 9}, {"group": "a100", "efa": 4}, {"group": "a100", "memory": Size(8000)}),
            {"group": "a100", "huge_pages": Size(5120)},
        )
    ),
    *(("Slurm with several queues", "trn1-pretrain", ask) for ask in ({"group": "a100"}, {"devices": 4})),
    ("Slurm with several queues", "pytorch-fsdp", {"group": "a100", "storage": "data"}),
    *(
        ("Slurm with several queues", "efa-check", {"group": "trn", **ask})
        for ask in ({"storage": "fsx"}, {"image": "mine"})
    ),
    *(("Slurm with several queues", job, {}) for job in ("tensorboard", "data-shell")),
    ("Slurm without containers", "nccl-tests", {"nodes": 5, "devices": 9, "efa": 1, "image": "mine"}),
    *(
        (cluster, "pytorch-fsdp", {})
        for cluster in ("Slurm without EFA", "Slurm without GPUs", "Slurm with system nodes")
    ),
    ("Slurm with T4", "nccl-tests", {}),
    *(("Slurm that counts memory", "nccl-tests", {"memory": Size(mib)}) for mib in (0, 2_000_000)),
    *((f"Slurm, trn1{which}", "trn1-pretrain", {}) for which in ("", " without storage", " with two file systems")),
    *(("Slurm", "nccl-tests", ask) for ask in ({}, {"devices": 2}, {"image": "a b"})),
    *((cluster, "nccl-tests", {}) for cluster in ("Slurm, elastic", "Slurm with an image of one's own")),
    *(("Slurm, two nodes always", "nccl-tests", {"nodes": nodes}) for nodes in (2, 3)),
    ("Slurm, shared nodes", "nccl-tests", {"devices": 2}),
    ("Slurm with an image of one's own", "nccl-tests", {"image": "/fsx/mine.sqsh"}),
    *((cluster, "pytorch-fsdp", {}) for cluster in ("Slurm without Docker", "Slurm without Docker, with a registry")),
    ("Slurm, p4de without storage", "pytorch-fsdp", {}),
)


def answers() -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Each row's title, the reasons or the notes, and whether the job fits."""
    made = {name: make() for name, make in CLUSTERS.items()}
    for cluster, job, ask in ROWS:
        title = f"{cluster}: {' '.join([job, *(f'{key}={value}' for key, value in ask.items())])}"
        try:
            yield title, _notes(made[cluster], job, JobOptions(**ask)), True
        except DoesNotFit as fault:
            yield title, fault.reasons, False


def _notes(blueprint: ClusterBlueprint, name: str, ask: JobOptions) -> tuple[str, ...]:
    job, _, form = name.partition(" ")
    if isinstance(blueprint, ParallelClusterBlueprint):
        return script_of(JOBS[job], blueprint, ask).notes
    if form:
        JOBS[job].forms[form].make(blueprint, ask)
        return JOBS[job].forms[form].notes(blueprint, ask)
    JOBS[job].build(blueprint, ask)
    return JOBS[job].notes(blueprint, ask)


def page() -> str:
    """The golden file."""
    return "\n".join(
        f"{title}\n  {'fits' if fits else 'does not fit'}\n" + "".join(f"    {line}\n" for line in lines)
        for title, lines, fits in answers()
    )
