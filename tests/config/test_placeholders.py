"""What nobody has filled in, by where it stands."""

from pathlib import Path

import pytest

from muster.blueprint.account_references import placeholder_values
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.stack.project import stacks
from muster.stack.stack_file import load
from tests.factories import a_document
from tests.stack_files import ROOT, filled_in, text_of


def opened(text: str, folder: Path) -> list[tuple[str, str]]:
    """What is blank in a stack file."""
    file = folder / "Pulumi.test.yaml"
    file.write_text(text)
    described = load("test", file, folder / "none.json").described
    assert described is not None
    return placeholder_values(described)


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_what_is_blank_in_a_stack_is_what_has_to_be_filled_in(stack: str, tmp_path: Path) -> None:
    """Whose head says that there is something; and nothing is, once it is filled in."""
    text = text_of(stack)
    assert bool(opened(text, tmp_path)) == ("# Fill in" in text)
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
