"""Documents with a fault, and the findings of each: `tests/golden/description_faults.txt`, which `make goldens` writes.

A row is the edits of a small legal document. Tests state what holds of every row; the words are in the golden file,
where a change of them is one difference to read.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muster.config.description.root import model_of
from muster.config.document import WrittenNumber
from muster.config.validation import validate
from muster.finding import Finding
from muster.fleet.facts import Facts
from tests.eks_description_faults import (
    BLOCK,
    CPU,
    EKS,
    FS,
    GROUP_ARN,
    HELD,
    HP,
    LUSTRE,
    SG,
    TEAM,
    Edits,
    W,
    one,
    twice,
)
from tests.factories import CR, DROP, a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.parallelcluster import TRAIN, WORKERS, a_slurm_document

FILE = Path("tests/golden/description_faults.txt")

HYPERPOD: tuple[Edits, ...] = (
    *one("backend", DROP, "nomad", "hyper-pod", "HyperPod", "hyperpood"),
    {"backend": DROP, "backnd": "hyperpod"},
    {W: "p5", "backend": "nomad"},
    *one("groups", ["workers"]),
    *(
        {f"{W}.{key}": value}
        for key, value in (("image", "al2023"), ("volume", {"size": "500GiB"}), ("node-repair", True))
    ),
    {f"{W}.self-managed": True, "task-governance": {}, "queues": {}},
    *one(f"{W}.capacity", "training-plan"),
    *({f"{W}.capacity": {kind: HELD}} for kind in ("reservation", "capacity-block")),
    *one(f"{W}.nodes", True, False, 6759, {"count": 6758, "minimum": 6759}, {"count": 4, "minimum": 8}),
    *one(f"{HP}.threads-per-core", True, 1.0, "1"),
    *one(f"{HP}.volume", *({"size": size} for size in ("500MiB", "1500MiB", "1025MiB"))),
    *one(f"{W}.huge-pages", "3TiB"),
    {f"{W}.instance": "ml.p5.48xlarge"},
    *twice(f"{HP}.deep-health-checks", "instance-stress"),
    {"groups.system.hyperpod": {"interface": "efa"}},
    {f"{HP}.updates": {"patching": "when-idle", "at-once": {"count": 1}}},
    {f"{HP}.updates": {"patching": "when-all-idle", "at-once": {"count": 1}, "wait-seconds": 60}},
    *one(f"{HP}.updates.schedule", "every sunday", "cron(0  3 ? * SUN *)", "cron(99 77 ? 13 FUN 2019)"),
    *one(f"{HP}.updates.schedule", "cron(0 3 15 * SUN *)", "cron(0 3 ? * ? *)"),
    {f"{HP}.lifecycle": {"own": {"at": f"s3://sagemaker-ours/{'x' * 1010}", "on-create": "on_create.sh"}}},
    {"hyperpod.mlflow": {"name": "-a"}},
    *({"hyperpod.mlflow": {"version": version}} for version in ("3.0.0", "3.4")),
    *({"hyperpod.mlflow": {"maintenance": time}} for time in ("TUE:03:30", "Tue:24:00")),
    *({"hyperpod.mlflow": {"pods": pods}} for pods in ({"service-account": "ML flow"}, {"namespace": "a.b"})),
    {"hyperpod.mlflow": {"siez": "small"}},
    *({"hyperpod.mlflow": {"serverless": True, **more}} for more in ({"size": "large"}, {"version": "3.0"})),
    *({"hyperpod.task-governance": {"teams": {name: TEAM}}} for name in ("Research", "a" * 41, "-a", 7)),
    *(
        {"hyperpod.task-governance": {"teams": {"research": {"quota": quota}}}}
        for quota in (
            {},
            {"p5.48xlarge": {}},
            {"ml.p5.48xlarge": {"instances": 2}},
            {"p5.48xlarge": {"instances": 1, "accelerators": 8}},
            {"p5.48xlarge": {"accelerators": 8, "partitions": {"profile": "mig-1g.10gb", "count": 1}}},
            {"p5.48xlarge": {"partitions": {"profile": "1g.10gb", "count": 1}}},
            {"p5.48xlarge": {"memory": "1500MiB"}},
        )
    ),
    *(
        {"hyperpod.task-governance": {"teams": {"research": {**TEAM, **more}}}}
        for more in (
            {"sharing": "none", "borrow-percent": 50},
            {"sharing": "lend", "borrow-limits": {"p5.48xlarge": {"instances": 1}}},
            {"weight": 101},
        )
    ),
    *(
        {"hyperpod.task-governance": {"priorities": given}}
        for given in ({"training-priority": 70}, {"Training": 70}, {"training": 101}, dict.fromkeys("abcdefghijk", 1))
    ),
)

DATABASE = {
    "server": "slurm.example.internal",
    "user": "slurm",
    "password-secret": "arn:aws:secretsmanager:us-west-2:210987654321:secret:slurm-Ab12Cd",
}
DOCKER, PYXIS, BOTH = ({"install": listed} for listed in (["docker"], ["pyxis"], ["docker", "pyxis"]))
OWN_SCRIPT = {"scripts": [{"at": "s3://ml-scripts/set-up.sh"}]}
MARKETS = {"on-demand": "on-demand", "spot": "spot", "block": {"capacity-block": BLOCK}}


def _in_one_queue(*capacities: Any) -> Edits:
    return {"queues": {"train": {"groups": {f"g{n}": {**CPU, "capacity": each} for n, each in enumerate(capacities)}}}}


SLURM: tuple[Edits, ...] = (
    *one("backend", DROP, "nomad", "AWS-ParallelCluster", "parallel-cluster", "ParallelCluster"),
    *one("version", DROP, "3.15.0", "3.17.0", "v3.16.1", "latest", WrittenNumber.of(3.1, "3.10"), True, ["3.16.1"]),
    *({key: {}} for key in ("kubernetes", "groups", "addons", f"{WORKERS}.labels")),
    {"queues": ["train"], "head": "m5"},
    *({key: value} for key, value in (("queues.train", "p5"), ("queues.train.groups", []), ("slurm", 3), ("name", 3))),
    {"queues.other": {"groups": {"workers": CPU}}, "slurm.default-queue": "train"},
    *(_in_one_queue(MARKETS[one], MARKETS[other]) for one in MARKETS for other in MARKETS if one != other),
    {"slurm.default-queue": "trian"},
    {"queues.another": {"groups": {"cpus": CPU}}},
    {"head": {"ssh-from": "198.51.100.0/24"}},
    {"head": {"login": {"key-pair": "ml"}}},
    *(
        {"slurm.settings": {key: value}}
        for key, value in (("Fraction", 1.5), ("Foo", "c\nSuspendTime=3"), ("max jobs", 3))
    ),
    *one("slurm.settings", {"Nodename": "x"}, {"Include": "x"}),
    {"tags": {"owner": "a(b)"}},
    *({"accounting": {**DATABASE, **said}} for said in ({"database": "Jobs"}, {"user": "u" * 33})),
    *({f"storage.{name}": LUSTRE} for name in ("home", "default")),
    {"storage.images": {"s3": {"location": "s3://training-data"}}},
    {"storage.code": {"existing-openzfs": {"id": FS}}},
    {"tags": {"parallelcluster:cluster-name": "ours"}},
    {"queues": {f"q{number}": {"groups": {f"g{number}": CPU}} for number in range(61)}, "slurm.default-queue": "q0"},
    *({"os": os, "post-install": DOCKER} for os in ("rhel8", "rocky8", "rocky9")),
    *one("os", "ubuntu1804", "ubuntu2004"),
    *one(f"{WORKERS}.nodes", "Four", True, False, 0, 5001, 2.5),
    *twice("head.security-groups", SG),
    *twice(f"{TRAIN}.zones", "us-west-2a"),
    *twice("post-install.install", "docker"),
    # Software that ParallelCluster's scripts install.
    {"os": "rhel9", "post-install": BOTH, "head.post-install": BOTH, f"{TRAIN}.post-install": DOCKER},
    {f"{TRAIN}.post-install": BOTH},
    {"post-install": BOTH, "head.post-install": OWN_SCRIPT},
    *one("post-install", {"install": ["podman"]}, {"install": [["docker"]]}, {"install": {"docker": {}}}, "docker"),
    *({"os": os, "post-install": DOCKER} for os in (["rhel9"], "plan9")),
    # Reservations and Capacity Blocks in other words.
    {f"{WORKERS}.capacity": {"reservation": {"id": CR, **HELD, "group": GROUP_ARN}}},
    {f"{WORKERS}.capacity": {"reservation": {"id": CR, **HELD, "arn": GROUP_ARN}}},
    *({f"{WORKERS}.capacity": {"capacity-block": {**BLOCK, "active": active}}} for active in (True, False)),
)

OTHERS: tuple[tuple[str, Any], ...] = (
    *(("description", document) for document in (None, [], "x", {"groups": {"a": 1, 2: {"volume": "x"}}})),
    *(
        ("description", {"addons-of": "organization/muster/p5", "addons": {"mpi-operator": {}}, **change})
        for change in (
            *({"groups": {}}, {"backend": "eks"}, {"addns": {}}, {"addons": {}}),
            *({"addons-of": "p5-odcr"}, {"addons-of": None}),
        )
    ),
    *(
        ("facts", data)
        for data in (
            *(None, {"zones": None}, {"observed": "now"}, {"contract": 2}, {"zones": {"us-west-2a": "us-west-2a"}}),
            *(
                {"reservations": {CR: known}}
                for known in ({"instance_type": "p5"}, {"state": "on"}, {"totalInstances": 1.5})
            ),
            {"reservations": {CR: {"start": "0001-01-01T00:00:00+14:00"}}},
        )
    ),
)
"""Whole documents."""


def rows() -> Iterator[tuple[str, Any, list[Finding]]]:
    """What a document is of, the edits or the document, and the findings."""
    for name, make, every in (("eks", a_document, EKS), ("hyperpod", a_hyperpod_document, HYPERPOD)):
        yield from ((name, edits, findings(make(edits))) for edits in every)
    image = {"image": "ami-0123456789abcdef0"}
    yield from (("parallelcluster", edits, findings(a_slurm_document({**image, **edits}))) for edits in SLURM)
    for name, document in OTHERS:
        model = Facts if name == "facts" else model_of(document)
        yield name, document, [finding for _, finding in validate(model, document)[1]]


def findings(document: dict[str, Any]) -> list[Finding]:
    """What is wrong with a description."""
    return [finding for _, finding in validate(model_of(document), document)[1]]


def page() -> str:
    """The golden file."""
    return "\n".join(_entry(*row) for row in rows())


def _entry(name: str, edits: Any, found: list[Finding]) -> str:
    said = "".join(f"  {each.where or '(the document)'}: {each.got}\n    {each.remedy}\n" for each in found)
    return f"{name} {json.dumps(edits, default=_shown, ensure_ascii=False)}\n" + (said or "  no fault\n")


def _shown(value: Any) -> str:
    return "(left out)" if value is DROP else value.text
