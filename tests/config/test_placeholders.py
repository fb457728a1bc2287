"""What nobody has filled in, by where it stands."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from muster.blueprint.account_references import placeholder_values
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.stack.project import stacks
from muster.stack.stack_file import load
from tests.factories import a_document
from tests.stack_files import ROOT, filled_in, text_of

KINDS: Mapping[str, str] = {
    "the role": r"access\[\d+\]\.principal",
    "the network of `api`": r"api\.public\[\d+\]",
    "the registry": r"addons\.[a-z-]+\.repository",
    "the bucket": r"storage\.[a-z-]+\.lustre\.data\./[a-z]+\.s3",
    "the buckets": r"addons\.[a-z0-9-]+\.(tls-bucket|buckets\[\d+\])",
    "the policy": r"addons\.[a-z0-9-]+\.load-balancer-policy",
    "the plan's ARN": r"groups\.[a-z-]+\.capacity\.training-plan\.arn",
    "the reservation": r"(queues\.[a-z0-9-]+\.)?groups\.[a-z-]+\.capacity\.reservation\.id",
    "its placement group": r"(queues\.[a-z0-9-]+\.)?groups\.[a-z-]+\.capacity\.reservation\.placement-group",
    "the image": r"image",
    "the key pair": r"head\.login\.key-pair",
    "the network of `ssh-from`": r"head\.ssh-from",
}
"""How a stack's head names what has to be filled in, and where that stands. Other ids go by one name."""

IDS = 'every "fill-me-in" id'

ALONE = frozenset({"the reservation", "its placement group", "the image"})
"""Ids that are named by themselves where they are the only ones."""


def opened(text: str, folder: Path) -> list[tuple[str, str]]:
    """What is blank in a stack file."""
    file = folder / "Pulumi.test.yaml"
    file.write_text(text)
    described = load("test", file, folder / "none.json").described
    assert described is not None
    return placeholder_values(described)


def named(text: str) -> set[str]:
    """What the head of a stack says has to be filled in; a zone is no blank: only its reservation tells it."""
    head = " ".join(line.removeprefix("#").strip() for line in text.splitlines() if line.startswith("#"))
    found = re.search(r"Fill in (.*?)\. `muster check", head)
    listed = re.sub(r" \([^)]*\)", "", found[1]).replace("every other", "every") if found else ""
    said = set(re.split(", | and ", listed)) if found else set()
    return said - {"its zone"}


def kind(where: str) -> str:
    """What the heads call it."""
    return next((name for name, form in KINDS.items() if re.fullmatch(form, where)), IDS)


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_the_head_of_a_stack_names_what_is_blank(stack: str, tmp_path: Path) -> None:
    """All that it names is counted, all that is counted it names; and nothing is, once it is filled in."""
    text = text_of(stack)
    found = {kind(where) for where, _ in opened(text, tmp_path)}
    # "Every id" is all of them.
    said = named(text)
    assert found - ((ALONE - said) if IDS in said else set()) == said
    assert opened(filled_in(text), tmp_path) == []


def test_add_ons_and_mirrors_are_looked_at() -> None:
    """A chart from a registry that nobody has would stop `up` when all else stands. Values of charts are their own."""
    values = {"values": {"host": "grafana.example.com", "bucket": "s3://fill-me-in"}}
    chart = {"repository": "https://example.com", "chart": "x", "version": "1.0.0", "namespace": "x", **values}
    described, faults = validate(
        EksCluster,
        a_document(
            {
                "addons": {"charts": {"x": chart}, "nvidia-device-plugin": values},
                "chart-mirror": "oci://registry.example.com/charts",
                "image-mirror": "registry.example.com/images",
            }
        ),
    )
    assert described is not None, faults
    assert {where for where, _ in placeholder_values(described)} == {
        "addons.charts.x.repository",
        "chart-mirror",
        "image-mirror",
    }
