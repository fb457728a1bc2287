"""What AWS's post-install scripts cannot do is refused where it is written, before a node fails by it."""

from typing import Any

import pytest

from muster.config.description.root import model_of
from muster.config.description.slurm_cluster import Os
from muster.config.validation import validate
from tests.slurm_factories import a_slurm_document

DOCKER, PYXIS, BOTH = {"install": ["docker"]}, {"install": ["pyxis"]}, {"install": ["docker", "pyxis"]}
OWN = {"scripts": [{"at": "s3://ml-scripts/set-up.sh"}]}
OF_QUEUE = "queues.train.post-install"


def told(edits: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    document = a_slurm_document({"image": "ami-0123456789abcdef0", **edits})
    _, found = validate(model_of(document), document)
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


@pytest.mark.parametrize("os", Os)
def test_docker_is_for_those_that_its_script_knows(os: Os) -> None:
    """Amazon Linux and Ubuntu; elsewhere the script ends with an error, and the node with it."""
    found = told({"os": os.value, "post-install": DOCKER})
    assert bool(found) == (os.value not in ("alinux2023", "ubuntu2204", "ubuntu2404"))


def test_the_words_for_docker_elsewhere() -> None:
    """Everywhere it stands, with where it would work."""
    words = (
        "AWS's script for docker does not know rhel9, and a node on which it fails never joins",
        "write one of os: alinux2023, ubuntu2204, ubuntu2404; or install docker by a script of yours (scripts)",
    )
    edits = {"os": "rhel9", "post-install": BOTH, "head.post-install": BOTH, OF_QUEUE: DOCKER}
    assert told(edits) == {f"{place}.install[0]": words for place in ("post-install", "head.post-install", OF_QUEUE)}


@pytest.mark.parametrize(
    "edits",
    [
        {},
        {"post-install": PYXIS},
        {"post-install": BOTH, OF_QUEUE: OWN},
        {"head.post-install": PYXIS, OF_QUEUE: PYXIS},
        {"head.post-install": PYXIS},
        {"post-install": PYXIS, "head.post-install": DOCKER, OF_QUEUE: DOCKER},
    ],
)
def test_pyxis_with_the_head_node(edits: dict[str, Any]) -> None:
    """Where it has it, or nobody does, all is well."""
    assert told(edits) == {}


def test_pyxis_without_the_head_node() -> None:
    """The plugin is switched on there: told where a queue wants it, or where the head node's own leaves it out."""
    assert told({OF_QUEUE: BOTH}) == {
        f"{OF_QUEUE}.install[1]": (
            "pyxis is installed here, and not on the head node, whose script switches it on in Slurm",
            "add it to head: {post-install: {install: ...}}, or to the cluster's post-install",
        )
    }
    assert told({"post-install": BOTH, "head.post-install": OWN}) == {
        "head.post-install": (
            "other nodes get pyxis, and the head node, whose script switches it on in Slurm, does not",
            "add pyxis to install here: this is in place of the cluster's post-install",
        )
    }


@pytest.mark.parametrize(
    "edits",
    [
        {"post-install": {"install": ["podman"]}},
        {"post-install": {"install": [["docker"]]}},
        {"post-install": {"install": {"docker": {}}}},
        {"post-install": "docker"},
        {"os": ["rhel9"], "post-install": DOCKER},
        {"os": "plan9", "post-install": DOCKER},
    ],
)
def test_what_is_wrong_by_itself_is_told_as_such(edits: dict[str, Any]) -> None:
    """And nothing is said on top of it."""
    ((_, (got, _)),) = told(edits).items()
    assert "AWS's script" not in got
