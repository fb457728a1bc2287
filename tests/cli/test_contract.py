"""What `--json` prints, field by field: programs rely on the names."""

from typing import Any

import jsonschema
import pytest

from muster.hardware.catalogue import accelerated_types
from tests.cli.conftest import Muster


def form(**properties: Any) -> dict[str, Any]:
    """An object with at least these fields: some may be added, none renamed."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def listed(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT, NUMBER, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
LEVEL = {"enum": ["mandatory", "advisory"]}
OPTIONAL_TEXT = {"type": ["string", "null"]}
OPTIONAL_NUMBER = {"type": ["integer", "null"]}

FINDING = form(
    rule=TEXT,
    level=LEVEL,
    resource=TEXT,
    where=form(file=TEXT, line=NUMBER, column=NUMBER, path=TEXT),
    got=TEXT,
    remedy=TEXT,
    source=TEXT,
)
CHECK = form(
    contract={"const": 1},
    stacks=listed(
        form(
            stack=TEXT,
            judged={"type": "object", "additionalProperties": NUMBER},
            findings=listed(FINDING),
            notEvaluated=listed(form(rule=TEXT, resource=TEXT, missing=TEXT)),
            suppressed=listed(form(rule=TEXT, resource=TEXT, reason=TEXT, until=TEXT)),
            placeholders=listed(form(where=form(file=TEXT, line=NUMBER, column=NUMBER, path=TEXT), value=TEXT)),
        )
    ),
)
PLAN = form(
    contract={"const": 1},
    stack=TEXT,
    backend=TEXT,
    resources=listed(form(type=TEXT, name=TEXT, urn=TEXT, parent=TEXT, inputs={"type": "object"})),
    nodes=listed(
        form(
            group=TEXT,
            instance=TEXT,
            zone=TEXT,
            count=form(min=NUMBER, start=NUMBER, max=NUMBER),
            pods=OPTIONAL_NUMBER,  # null with Slurm, whose nodes have a queue
            offers={"type": "object"},
            allocatable=form(cpu=TEXT, memory=TEXT),
        )
    ),
    outputs={"type": "object"},
    findings=listed(FINDING),
)
SLOTS = listed(form(card=NUMBER, device=NUMBER, type={"enum": ["interface", "efa", "efa-only"]}))
HARDWARE = form(
    instance=TEXT,
    vcpus=NUMBER,
    memoryMiB=NUMBER,
    accelerator={"enum": ["gpu", "neuron", "none"]},
    accelerators=NUMBER,
    neuronCores=NUMBER,
    networkCards=NUMBER,
    maxEfa=NUMBER,
    interfaces=form(aws=SLOTS, classic=SLOTS),
    maxPods=form(aws=OPTIONAL_NUMBER, classic=OPTIONAL_NUMBER),
    allocatable=form(cpu={"type": ["string", "null"]}, memory={"type": ["string", "null"]}),
    slurm=form(cpus=NUMBER, memoryMiB=NUMBER, gpus=NUMBER),
    hyperpod=FLAG,
    capacityBlock={"type": ["boolean", "string"]},
    sources={"type": "object", "additionalProperties": TEXT},
)
RULE = form(
    id=TEXT,
    title=TEXT,
    level=LEVEL,
    severity={"enum": ["low", "medium", "high", "critical"]},
    backends=listed(TEXT),
    why=TEXT,
    source=listed(TEXT),
    remedy=TEXT,
    facts=listed(TEXT),
)


OBJECT = form(apiVersion=TEXT, kind=TEXT, name=TEXT, namespace=OPTIONAL_TEXT)
ADDON = form(
    name=TEXT,
    version=TEXT,
    kind={"enum": ["chart", "manifest", "kustomization", "eks-addon", "objects"]},
    namespace=TEXT,
    after=listed(TEXT),
    afterReasons={"type": "object", "additionalProperties": TEXT},
    beforeNodes=OPTIONAL_TEXT,
    serves={"type": "object", "additionalProperties": listed(TEXT)},
    reason=TEXT,
    runs=listed(form(apiVersion=TEXT, kind=TEXT)),
    makes=listed(OBJECT),
    kubernetes={"anyOf": [form(first=TEXT, last=OPTIONAL_TEXT), {"type": "null"}]},
    address=OPTIONAL_TEXT,
    loses=OPTIONAL_TEXT,
    kept=FLAG,
)
TO_COPY = {"source": TEXT, "destination": OPTIONAL_TEXT, "digest": OPTIONAL_TEXT, "for": listed(TEXT)}
MIRROR = form(
    contract={"const": 1},
    stack=TEXT,
    charts=listed(form(name=TEXT, version=TEXT, **TO_COPY)),
    images=listed(form(**TO_COPY)),
    fetched=listed(form(addon=TEXT, kind=TEXT, address=TEXT)),
    eks=listed(TEXT),
    unknown=listed(form(addon=TEXT, why=TEXT)),
)


@pytest.mark.parametrize(
    ("command", "schema"),
    [
        (("addons", "p5-odcr"), listed(ADDON)),
        (("mirror", "p5-odcr"), MIRROR),
    ],
    ids=["addons", "mirror"],
)
def test_what_is_said_of_addons(muster: Muster, command: tuple[str, ...], schema: dict[str, Any]) -> None:
    """Of a stack with charts and a manifest, and of one with add-ons of every other kind."""
    others = "volcano: {queues: {test: {weight: 1}}}", "etcd: {}", "training-operator: {}", "metrics-server: {}"
    for addons in (("mpi-operator: {}",), others):
        muster.edit("      mpi-operator: {}\n", "".join(f"      {each}\n" for each in addons))
        ran = muster(*command, "--json")
        assert (ran.code, ran.err) == (0, "")
        jsonschema.validate(ran.json, schema)


@pytest.mark.parametrize(
    ("command", "schema"),
    [
        (("check", "p5-odcr"), CHECK),
        (("check", "--all"), CHECK),
        (("plan", "p5-odcr"), PLAN),
    ],
)
def test_what_judges(muster: Muster, command: tuple[str, ...], schema: dict[str, Any]) -> None:
    ran = muster.judged(*command, "--json")
    assert (ran.code, ran.err) == (0, "")
    jsonschema.validate(ran.json, schema)


def test_a_finding(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: 2\n")
    for command, schema in (("check", CHECK), ("plan", PLAN)):
        ran = muster.judged(command, "p5-odcr", "--json")
        assert ran.code == 1
        jsonschema.validate(ran.json, schema)


def test_hardware(muster: Muster) -> None:
    one = muster("hardware", "p5.48xlarge", "--json").json
    jsonschema.validate(one, HARDWARE)
    assert (len(one["interfaces"]["aws"]), len(one["interfaces"]["classic"])) == (33, 32)
    assert one["interfaces"]["aws"][:2] == [
        {"card": 0, "device": 0, "type": "interface"},
        {"card": 0, "device": 1, "type": "efa-only"},
    ]
    assert one["maxPods"] == {"aws": 51, "classic": 100}
    assert one["allocatable"]["cpu"] == "191450m"
    assert one["capacityBlock"] is True
    every = muster("hardware", "--json").json
    jsonschema.validate(every, listed(HARDWARE))
    assert [each["instance"] for each in every] == list(accelerated_types())
    assert one in every


def test_explain(muster: Muster) -> None:
    every = muster("explain", "--all", "--json").json
    jsonschema.validate(every, listed(RULE))
    assert [each["id"] for each in every] == sorted(each["id"] for each in every)
    assert muster("explain", "reservation-zone-matches-subnet", "--json").json == [
        each for each in every if each["id"] == "reservation-zone-matches-subnet"
    ]


def test_a_job_is_the_manifest_itself(muster: Muster) -> None:
    import yaml

    text = muster.judged("job", "nccl-tests", "--stack", "p5-odcr")
    assert (text.code, text.err) == (0, "")
    as_json = muster.judged("job", "nccl-tests", "--stack", "p5-odcr", "--json")
    assert yaml.safe_load(text.out) == as_json.json
