"""p5-odcr in the real engine: a life from preview to destroy, and edits that must register nothing."""

import shutil
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from muster.fleet.description import Change, EksCluster, change_cost
from muster.fleet.description.capacity import Reservation
from muster.fleet.description.group import Group
from muster.fleet.stack_file import load
from muster.offline.plan import Plan, plan_stack
from tests.edits import EDITS, Edit
from tests.stack_files import AS_OF, ROOT, filled_in, text_of

from .conftest import MakeProject
from .harness import MISSING_TOOLS, WHY_SKIPPED, Project
from .provider import StandIn

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

STACK = "p5-odcr"
Muster = Callable[..., Project]


@pytest.fixture
def muster(tmp_path_factory: pytest.TempPathFactory, project: MakeProject) -> Muster:
    """A copy of the repository with the stack file given, on the real engine."""

    def make(stack_text: str, facts: str | None = None) -> Project:
        source = tmp_path_factory.mktemp("checkout") / "muster"
        ignored = shutil.ignore_patterns(
            ".git", ".venv", "tests", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis"
        )
        shutil.copytree(ROOT, source, ignore=ignored)
        (source / "stacks" / f"Pulumi.{STACK}.yaml").write_text(stack_text, encoding="utf-8")
        if facts is not None:
            (source / "stacks" / "facts" / f"{STACK}.json").write_text(facts, encoding="utf-8")
        return project(source, stack=STACK, environment={"MUSTER_AS_OF": AS_OF})

    return make


def registered(state: dict[str, object]) -> list[str]:
    """The URNs of a state, without the stack itself, which the engine makes before the program runs."""
    return [urn for urn in state if "pulumi:pulumi:Stack" not in urn]


def test_a_life(muster: Muster, stand_in: StandIn) -> None:
    """Preview makes nothing; up makes all; a second up changes nothing; destroy leaves nothing."""
    it = muster(filled_in(text_of(STACK)))

    planned = it.preview(packs=["policies"]).require()
    assert set(planned.changes.values()) == {"create"}
    assert stand_in.log.names("create") == []

    first = it.up(packs=["policies"]).require()
    template = first.one("aws:ec2/launchTemplate:LaunchTemplate", "workers")
    assert len(template["inputs"]["networkInterfaces"]) == 33

    again = it.up().require()
    assert again.changes == {}

    gone = it.destroy().require()
    assert gone.resources == {}


def test_placeholders_are_refused_in_preview_and_up_alike(muster: Muster, stand_in: StandIn) -> None:
    """As it is committed the stack is refused, naming every key to fill."""
    it = muster(text_of(STACK))
    for outcome in (it.preview(), it.up()):
        assert outcome.code != 0
        assert registered(outcome.resources) == []
        for key in (
            "network.existing.vpc",
            "groups.workers.capacity.reservation.id",
            "access[0].principal",
            "api.public[0]",
        ):
            assert f"fill in {key}" in outcome.text
        assert "Traceback" not in outcome.text
    assert stand_in.log.names("create") == []


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_a_mistake_registers_nothing(edit: Edit, muster: Muster, stand_in: StandIn) -> None:
    """`up --yes --skip-preview` without a pack: refused by name and place, and nothing was made."""
    facts = edit.facts_text
    it = muster(filled_in(text_of(STACK)), facts and filled_in(facts))
    file = it.root / "stacks" / f"Pulumi.{STACK}.yaml"
    salt = next(line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("encryptionsalt"))
    file.write_text(f"{filled_in(edit.applied(text_of(STACK)))}\n{salt}\n", encoding="utf-8")
    outcome = it.up()
    assert outcome.code != 0
    assert registered(outcome.resources) == []
    assert stand_in.log.names("create") == []
    assert "Traceback" not in outcome.text
    if edit.name == "the same key twice":
        assert 'mapping key "nodes" already defined' in outcome.text  # the engine itself refuses such a file
    else:
        assert f"{edit.rule}: " in outcome.text


def test_the_offline_plan_is_the_engines(muster: Muster) -> None:
    """The same URNs, parents and inputs, but for what only the cloud decides."""
    text = filled_in(text_of(STACK))
    state = muster(text).up().require()
    with_engine = {urn: each for urn, each in state.resources.items() if "pulumi:providers:" not in each["type"]}
    plan = plan_of(text)
    offline = {each.urn: each for each in plan.registrations if "pulumi:providers:" not in each.type}
    assert set(offline) == set(with_engine)
    for urn, each in offline.items():
        real = with_engine[urn]
        assert real.get("parent", "") == each.parent, urn
        assert real["custom"] is each.custom, urn
        if each.custom:
            assert keys(real["inputs"]) == keys(each.inputs), urn


def keys(inputs: dict[str, object]) -> set[str]:
    """The inputs a program gives: names the engine or a provider makes up are not among them."""
    return {key for key, value in inputs.items() if not key.startswith("__") and value not in (None, [], {})}


def plan_of(text: str) -> Plan:
    """The offline plan of a stack's text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"Pulumi.{STACK}.yaml"
        file.write_text(text, encoding="utf-8")
        return plan_stack(load(STACK, file, Path(folder) / "facts.json"), date.fromisoformat(AS_OF))


FOREIGN = """
import pulumi_aws as aws

everything = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
group = aws.ec2.SecurityGroup("nodes", egress=[everything])
template = aws.ec2.LaunchTemplate(
    "gpu",
    instance_type="p5.48xlarge",
    network_interfaces=[
        {"network_card_index": 0, "device_index": 0, "interface_type": "efa-only", "security_groups": [group.id]},
        {"network_card_index": 1, "device_index": 2, "interface_type": "efa", "security_groups": [group.id]},
    ],
)
"""


def test_the_pack_stops_a_foreign_program_in_preview(
    tmp_path_factory: pytest.TempPathFactory, project: MakeProject
) -> None:
    """Another team's program, ids unknown: each fault under its rule's name, at its resource, and the preview fails."""
    source = tmp_path_factory.mktemp("foreign")
    (source / "__main__.py").write_text(FOREIGN, encoding="utf-8")
    (source / "Pulumi.yaml").write_text(
        "name: foreign\nruntime: {name: python, options: {toolchain: uv, virtualenv: .venv}}\n", encoding="utf-8"
    )
    outcome = project(source, stack="dev", config={"aws:region": "us-west-2"}).preview(packs=[ROOT / "policies"])
    assert outcome.code != 0
    mandatory = {
        (each.policy, each.urn.rpartition("::")[2]) for each in outcome.violations if each.level == "mandatory"
    }
    assert mandatory == {
        ("primary-interface-not-efa-only", "gpu"),
        ("interface-device-index", "gpu"),
        ("efa-security-groups-allow-themselves", "nodes"),
    }


TEMPLATE, GROUP, CLUSTER = (
    "aws:ec2/launchTemplate:LaunchTemplate",
    "aws:eks/nodeGroup:NodeGroup",
    "aws:eks/cluster:Cluster",
)
GROUP_UPDATE = {(GROUP, "workers"): "update"}
DRAINS = {(TEMPLATE, "workers"): "update", **GROUP_UPDATE}
BESIDE = "        volume: {size: 300GiB}\n"

COSTS = [
    # field, its block, text that stands there, what is written instead, what changes
    ("nodes", Group, "nodes: 1\n", "nodes: {min: 0, start: 1, max: 1}\n", GROUP_UPDATE),
    ("labels", Group, BESIDE, f"{BESIDE}        labels: {{team: vision}}\n", GROUP_UPDATE),
    ("taints", Group, BESIDE, f"{BESIDE}        taints: {{team: NoSchedule}}\n", GROUP_UPDATE),
    ("node_repair", Group, BESIDE, f"{BESIDE}        node-repair: false\n", GROUP_UPDATE),
    ("instance", Group, "p5.48xlarge\n", "p5e.48xlarge\n", DRAINS),
    ("volume", Group, "300GiB", "400GiB", DRAINS),
    ("interfaces", Group, BESIDE, f"{BESIDE}        interfaces: classic\n", DRAINS),
    ("huge_pages", Group, BESIDE, f"{BESIDE}        huge-pages: 20480MiB\n", DRAINS),
    ("local_storage", Group, "local-storage: raid0", "local-storage: none", DRAINS),
    (
        "provided_by",
        Reservation,
        "provided-by: aws",
        "provided-by: you",
        DRAINS | {("aws:ec2/placementGroup:PlacementGroup", "workers"): "create"},
    ),
    ("zone", Group, "zone: us-west-2a # where", "zone: us-west-2b # where", {(GROUP, "workers"): "replace"}),
    ("kubernetes", EksCluster, '"1.35"', '"1.36"', {(CLUSTER, "cluster-eksCluster"): "update", **GROUP_UPDATE}),
    ("tags", EksCluster, "    addons:\n", "    tags: {team: vision}\n    addons:\n", DRAINS),
    (
        "logs",
        EksCluster,
        "    addons:\n",
        "    logs: {types: [audit]}\n    addons:\n",
        {(CLUSTER, "cluster-eksCluster"): "update"},
    ),
]


def cost_of(changed: dict[tuple[str, str], str]) -> Change:
    """What the engine's operations come to for the nodes of a group: the dearest of them."""
    nodes = {key: operation for key, operation in changed.items() if key[1] == "workers"}
    if nodes.get((GROUP, "workers")) == "replace" or changed.get((CLUSTER, "cluster-eksCluster")) == "replace":
        return Change.REPLACES
    rolls = (TEMPLATE, "workers") in nodes or (
        (CLUSTER, "cluster-eksCluster") in changed and (GROUP, "workers") in nodes
    )
    return Change.DRAINS if rolls else Change.IN_PLACE


def test_a_change_costs_what_its_field_says(muster: Muster) -> None:
    """In a preview against what is deployed the operations are those the field's stated cost promises."""
    text = filled_in(text_of(STACK))
    it = muster(text)
    it.up().require()
    file = it.root / "stacks" / f"Pulumi.{STACK}.yaml"
    salt = next(line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("encryptionsalt"))
    for field, block, before, after, expected in COSTS:
        changed_text = edited_first(text, before, after)
        if field == "zone":
            changed_text = changed_text.replace(
                "zone: us-west-2a\n            count", "zone: us-west-2b\n            count"
            )
        file.write_text(f"{changed_text}\n{salt}\n", encoding="utf-8")
        planned = it.preview().require()
        changed = {
            (urn.split("::")[2].rpartition("$")[2], urn.split("::")[3]): operation
            for urn, operation in planned.changes.items()
        }
        assert {key: changed.get(key) for key in expected} == expected, field
        assert cost_of(changed) is change_cost(block, field), (field, changed)


def edited_first(text: str, before: str, after: str) -> str:
    """The text with the last place changed: the workers stand after the system group."""
    head, found, tail = text.rpartition(before)
    assert found, before
    return f"{head}{after}{tail}"
