"""A copy of a stack differs from it in what was exchanged, and in nothing else."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from muster.cli.init.choices import CapacityKind, ExistingNetwork, ReservedCapacity
from muster.cli.init.copy_stack import CopyChanges, copied_text, other_zones, zones_of
from muster.cli.init.stack_document import network_entry
from muster.cli.init.yaml_editor import EditableYaml
from muster.cli.init.yaml_entries import plain_values
from muster.config import project
from muster.config.document import parse
from muster.config.identifiers import is_placeholder
from tests.stack_files import ROOT, filled_in, text_of

FILE = Path("stacks/Pulumi.copy.yaml")
STACKS = project.stacks(ROOT)

ODCR = ReservedCapacity(
    CapacityKind.RESERVATION,
    "cr-0a1b2c3d4e5f60718",
    "p5en.48xlarge",
    "us-east-1c",
    7,
    7,
    "use1-az2",
    placement_group="none",
)


def data(text: str) -> Any:
    """What a text says."""
    document = parse(text, FILE)
    assert not document.faults, document.faults
    return document.data


def groups_of(text: str) -> list[tuple]:
    """Where the training groups are, below `muster:cluster`."""
    cluster = data(text)["config"]["muster:cluster"]
    found = [("groups", name) for name in cluster.get("groups", {})]
    found += [
        ("queues", queue, "groups", name) for queue, of in cluster.get("queues", {}).items() for name in of["groups"]
    ]
    return [path for path in found if below(cluster, path)["for"] == "training"]


def below(block: Any, path: tuple) -> Any:
    """The value at a path."""
    for step in path:
        block = block[step]
    return block


@pytest.mark.parametrize("stack", STACKS)
def test_a_copy_with_nothing_exchanged_says_the_same(stack: str) -> None:
    """Line for line, under a line that says what it is a copy of."""
    text = text_of(stack)
    same = {each: each for each in zones_of(text)}
    copy = copied_text(text, CopyChanges(stack, data(text)["config"]["aws:region"], same)).splitlines()
    assert copy[1] == f"# Copied from stack {stack} by `muster init`; the comment below is the original's."
    assert [copy[0], *copy[2:]] == text.splitlines()


@pytest.mark.parametrize("stack", STACKS)
def test_ids_of_an_account_become_placeholders_each_its_own(stack: str) -> None:
    """As many as there were, and none of the other account's is left."""
    text = filled_in(text_of(stack))
    copy = copied_text(text, CopyChanges(stack, "us-west-2", {}))
    before = {
        value
        for path, value, key in EditableYaml(text).scalars()
        if not key and re.fullmatch(r"[a-z]+-[0-9a-f]{17}", value)
    }
    before = {each for each in before if not each.startswith(("key-", "pg-"))}
    after = {value for path, value, key in EditableYaml(copy).scalars() if not key and "-fill-me-in" in value}
    assert len(after) == len(before)
    assert not [each for each in before if each in copy]
    assert "arn:aws:iam::210987654321" not in copy
    assert all(map(is_placeholder, after))


def test_the_asked_accounts_own_arns_stay() -> None:
    """Its roles are there; its keys of another Region are not."""
    text = text_of("p5-odcr").replace("111122223333", "210987654321")
    stays = copied_text(text, CopyChanges("p5-odcr", "us-west-2", {}, account="210987654321"))
    assert "arn:aws:iam::210987654321:role/ml-admins" in stays
    key = "secrets-key: arn:aws:kms:us-west-2:210987654321:key/0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"
    text = text.replace("    control-plane: create\n", f"    control-plane: create\n    {key}\n")
    moved = copied_text(text, CopyChanges("p5-odcr", "us-east-1", {}, account="210987654321"))
    assert "arn:aws:kms:us-east-1:111122223333:key/" in moved


IMAGES = """\
config:
  aws:region: us-west-2
  aws:allowedAccountIds: ["210987654321"]
  muster:cluster:
    key: arn:aws:kms:us-west-2:220987654321:key/one # of 220987654321
    images:
      - 763104351884.dkr.ecr.us-west-2.amazonaws.com/pytorch-training:2.4-us-west-2 # AWS's
      - oci://602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/coredns
      - 210987654321.dkr.ecr.us-west-2.amazonaws.com/ours:1
      - 220987654321.dkr.ecr.us-east-1.amazonaws.com/ours:2
      - arn:aws:ecr:us-west-2:763104351884:repository/pytorch-training
"""


def test_registries_of_others_are_the_same_for_everybody() -> None:
    """AWS's images stay as they are; those of the original's own accounts, which its ARNs tell, are filled in."""
    copy = copied_text(IMAGES, CopyChanges("images", "eu-west-1", {}))
    assert data(copy)["config"] == {
        "aws:region": "eu-west-1",
        "aws:allowedAccountIds": ["210987654321"],
        "muster:cluster": {
            "key": "arn:aws:kms:eu-west-1:111122223333:key/one",
            "images": [
                "763104351884.dkr.ecr.us-west-2.amazonaws.com/pytorch-training:2.4-us-west-2",
                "oci://602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/coredns",
                "111122223333.dkr.ecr.eu-west-1.amazonaws.com/ours:1",
                "111122223333.dkr.ecr.us-east-1.amazonaws.com/ours:2",
                "arn:aws:ecr:us-west-2:763104351884:repository/pytorch-training",
            ],
        },
    }
    assert "2.4-us-west-2 # AWS's\n" in copy


def test_what_is_of_the_account_that_is_asked_stays() -> None:
    """Its registries in the Region; and it is the one that the copy may be deployed to."""
    copy = data(copied_text(IMAGES, CopyChanges("images", "us-west-2", {}, account="220987654321")))["config"]
    assert copy["aws:allowedAccountIds"] == ["220987654321"]
    assert copy["muster:cluster"]["images"][2:4] == [
        "111122223333.dkr.ecr.us-west-2.amazonaws.com/ours:1",
        "111122223333.dkr.ecr.us-east-1.amazonaws.com/ours:2",
    ]
    copy = data(copied_text(IMAGES, CopyChanges("images", "us-east-1", {}, account="220987654321")))["config"]
    assert copy["muster:cluster"]["images"][3] == "220987654321.dkr.ecr.us-east-1.amazonaws.com/ours:2"


@pytest.mark.parametrize("stack", [each for each in STACKS if "hyperpod" not in each])
def test_the_group_gets_the_instances_and_everything_else_stays(stack: str) -> None:
    """Its type, number and capacity; zones and Region wherever they stand."""
    text = text_of(stack)
    zones = other_zones(zones_of(text), zones_of(text)[0], "us-east-1", ("us-east-1c", "us-east-1a"), [])
    path = groups_of(text)[0]
    copy = copied_text(text, CopyChanges(stack, "us-east-1", zones, path, ODCR, 5))
    expected = exchanged(data(text), zones)
    group = below(expected["config"]["muster:cluster"], path)
    nodes = {**group["nodes"], "max": 5} if isinstance(group["nodes"], dict) else 5
    group |= {"instance": "p5en.48xlarge", "nodes": nodes}
    group["capacity"] = {
        "reservation": {
            "id": ODCR.id,
            "zone": "us-east-1c",
            "count": 7,
            "provided-by": "you",
            "placement-group": "none",
        }
    }
    assert data(copy) == expected


def _in_zone(value: Any, zone: str, zones: dict[str, str]) -> Any:
    """A placeholder that ends with its zone's letter has the new zone's."""
    mine = isinstance(value, str) and value.startswith("subnet-fill-me-in-") and value.endswith(f"-{zone[-1]}")
    if zone in zones and mine:
        return value.removesuffix(zone[-1]) + zones[zone][-1]
    return value


def exchanged(value: Any, zones: dict[str, str]) -> Any:
    """Plain data with other zones, in another Region."""
    if isinstance(value, dict):
        return {zones.get(key, key): exchanged(_in_zone(each, key, zones), zones) for key, each in value.items()}
    if isinstance(value, list):
        return [exchanged(each, zones) for each in value]
    return re.sub(r"\bus-(west|east)-2\b", "us-east-1", zones.get(value, value)) if isinstance(value, str) else value


def test_a_network_is_put_in_whole() -> None:
    """In a block; the rest of the file has the copy's zones."""
    text = text_of("p5-odcr")
    network = ExistingNetwork("vpc-0123456789abcdef0", {"us-west-2c": "subnet-0123456789abcdef0"}, why="it fits")
    held = ReservedCapacity(
        CapacityKind.CAPACITY_BLOCK,
        ODCR.id,
        "p5.48xlarge",
        "us-west-2c",
        1,
        starts=date(2026, 12, 1),
        ends=date(2026, 12, 2),
    )
    zones = {"us-west-2a": "us-west-2c", "us-west-2b": "us-west-2a"}
    copy = copied_text(text, CopyChanges("p5-odcr", "us-west-2", zones, ("groups", "workers"), held, 1, network))
    cluster = data(copy)["config"]["muster:cluster"]
    assert cluster["network"] == plain_values((network_entry(network, "us-west-2"),))["network"]
    assert (cluster["groups"]["workers"]["zone"], list(cluster["groups"]["workers"]["capacity"])) == (
        "us-west-2c",
        ["capacity-block"],
    )


FLOW = """\
config:
  aws:region: us-west-2
  muster:cluster: {name: theirs, backend: eks, suppress: [], network: {create: {zones: [us-west-2a, us-west-2b]}},
    groups: {workers: {for: training, instance: p5.48xlarge, nodes: {min: 1, start: 1, max: 2}}}, addons-in: [a/b/c]}
encryptionsalt: v1:secret
"""


def test_a_file_in_flow_style_is_copied_too() -> None:
    """Keys go with their commas, and what is put in is written in flow."""
    held = ReservedCapacity(CapacityKind.RESERVATION, ODCR.id, "p5en.48xlarge", "us-west-2b", 2)
    zones = {"us-west-2a": "us-west-2b", "us-west-2b": "us-west-2a"}
    copy = copied_text(FLOW, CopyChanges("theirs", "us-west-2", zones, ("groups", "workers"), held, 2))
    assert data(copy) == {
        "config": {
            "aws:region": "us-west-2",
            "muster:cluster": {
                "backend": "eks",
                "network": {"create": {"zones": ["us-west-2b", "us-west-2a"]}},
                "groups": {
                    "workers": {
                        "for": "training",
                        "instance": "p5en.48xlarge",
                        "nodes": {"min": 1, "start": 1, "max": 2},
                        "capacity": {
                            "reservation": {
                                "id": ODCR.id,
                                "zone": "us-west-2b",
                                "count": 2,
                                "provided-by": "you",
                                "placement-group": "none",
                            }
                        },
                    }
                },
            },
        }
    }


@pytest.mark.parametrize(
    ("original", "nodes", "copy"),
    [
        ("{min: 1, start: 2, max: 8, scaled-by: you}", 4, {"min": 1, "start": 2, "max": 4, "scaled-by": "you"}),
        ("{min: 2, start: 6, max: 8}", 4, {"min": 2, "start": 4, "max": 4}),
        ("{min: 4, start: 6, max: 8, scaled-by: autoscaler}", 4, 4),
        ("{min: 0, max: 8}", 4, {"min": 0, "max": 4}),
        ("{count: 8, minimum: 6}", 7, {"count": 7, "minimum": 6}),
        ("{count: 8, minimum: 6}", 4, {"count": 4, "minimum": 4}),
        ("8", 4, 4),
    ],
)
def test_a_range_of_nodes_stays_one(original: str, nodes: int, copy: object) -> None:
    """The copy has at most what is held, and the original's lower numbers as far as that goes."""
    held = ReservedCapacity(CapacityKind.RESERVATION, ODCR.id, "p5en.48xlarge", "us-west-2b", nodes)
    text = FLOW.replace("{min: 1, start: 1, max: 2}", original)
    made = copied_text(text, CopyChanges("theirs", "us-west-2", {}, ("groups", "workers"), held, nodes))
    assert data(made)["config"]["muster:cluster"]["groups"]["workers"]["nodes"] == copy


def test_what_is_the_originals_own_is_left_out() -> None:
    """Its name, what it took the blame for, the engine's secrets, an approval to buy."""
    text = text_of("p5-capacity-block").replace(
        "            id: cr-fill-me-in\n",
        "            buy:\n              offering: cb-0123456789abcdef0\n"
        "              approved: {offering: cb-0123456789abcdef0, by: somebody}\n",
    )
    text = (
        text.replace("    backend: eks\n", "    backend: eks\n    name: theirs # with its comment\n")
        + "encryptionsalt: v1:x\n"
    )
    copy = copied_text(text, CopyChanges("p5-capacity-block", "us-west-2", {}))
    assert list(data(copy)) == ["config"]
    cluster = data(copy)["config"]["muster:cluster"]
    assert "name" not in cluster
    assert "with its comment" not in copy
    block = cluster["groups"]["workers"]["capacity"]["capacity-block"]
    assert block["buy"] == {"offering": "cb-fill-me-in"}


@pytest.mark.parametrize(
    ("old", "new", "other"),
    [
        ("ab", "ba", {"a": "b", "b": "a"}),
        ("ab", "c", {"a": "c", "b": "a"}),
        ("ba", "", {"a": "a", "b": "b"}),
    ],
)
def test_no_two_zones_become_one(old: str, new: str, other: dict[str, str]) -> None:
    """The workers' is the first of the new ones; by letter without any."""
    here, there = "us-west-2", "us-east-1"
    made = other_zones(
        [f"{here}{each}" for each in old], f"{here}a", there, tuple(f"{there}{each}" for each in new), []
    )
    assert made == {f"{here}{key}": f"{there}{value}" for key, value in other.items()}


@pytest.mark.parametrize(
    ("text", "gone", "left"),
    [
        ("a: {b: 1, c: 2}\n", "b", "a: {c: 2}\n"),
        ("a: {b: 1, c: 2}\n", "c", "a: {b: 1}\n"),
        ("a: {b: 1 , c: 2}\n", "c", "a: {b: 1 }\n"),
        ("a: {b: 1,\n    c: 2}\n", "c", "a: {b: 1}\n"),
        ("a: {b: 1}\n", "b", "a: {}\n"),
        ("a: {b: 1  ,   c: 2}\n\n", "b", "a: {c: 2}\n\n"),
        ("a: {b: 1\n   , c: 2}", "b", "a: {c: 2}"),
        ("a: {b: 1,\n  c: 2}", "b", "a: {\n  c: 2}"),
    ],
)
def test_a_key_leaves_flow_style_with_its_comma(text: str, gone: str, left: str) -> None:
    """The one behind it, or of the last the one before it."""
    edits = EditableYaml(text)
    edits.remove(("a", gone))
    assert edits.edited() == left


def test_an_id_beside_the_configuration_is_no_subnets_of_a_zone() -> None:
    """What the engine itself keeps is not looked into for tiers and zones; it is not copied."""
    text = f"encryptionsalt: subnet-0123456789abcdef0\n{text_of('p5-odcr')}"
    assert list(data(copied_text(text, CopyChanges("p5-odcr", "us-west-2", {})))) == ["config"]


@pytest.mark.parametrize(
    ("stack", "group", "why"),
    [
        ("p5-join-existing", ("groups", "workers"), "for internet-facing load balancers"),
        ("pcluster-gpu", ("queues",), "for a head node or login nodes with `subnets: public`"),
    ],
)
def test_public_subnets_are_for_what_the_backend_puts_there(stack: str, group: tuple[str, ...], why: str) -> None:
    """Slurm has no load balancers, Kubernetes no head node."""
    text = text_of(stack)
    zone = zones_of(text)[0]
    network = ExistingNetwork(
        "vpc-0123456789abcdef0", {zone: "subnet-0123456789abcdef0"}, {zone: "subnet-0fedcba9876543210"}
    )
    same = {each: each for each in zones_of(text)}
    path = next(each for each in groups_of(text) if each[: len(group)] == group)
    copy = copied_text(text, CopyChanges(stack, "us-west-2", same, path, network=network))
    (line,) = [line for line in copy.splitlines() if line.strip().startswith("public:")]
    assert line.endswith(f"# {why}")


def test_a_subnet_to_be_filled_in_tells_its_tier_and_zone() -> None:
    """Those of the copy: whoever fills it in looks for no subnet of the original's."""
    zones = {"us-west-2a": "us-east-1c", "us-west-2b": "us-east-1d"}
    text = filled_in(text_of("p5-join-existing"))
    copy = copied_text(text, CopyChanges("p5-join-existing", "us-east-1", zones))
    existing = data(copy)["config"]["muster:cluster"]["network"]["existing"]
    assert {tier: existing[tier] for tier in ("private", "public")} == {
        tier: {f"us-east-1{each}": f"subnet-fill-me-in-{tier}-{each}" for each in "cd"}
        for tier in ("private", "public")
    }
