"""Muster's components on the real engine: it starts the plugin from its folder, and another program uses it."""

import json
from pathlib import Path

import pytest
import yaml

from tests.components.spelled import spelled
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Project
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import AS_OF, ROOT, filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

PROGRAM = """
import json
from pathlib import Path

import pulumi

GIVEN = json.loads((Path(__file__).parent / "given.json").read_text())


class TrainingCluster(pulumi.ComponentResource):
    kubeconfig: pulumi.Output[str]
    nodeGroups: pulumi.Output[dict]

    def __init__(self, name, args):
        props = {**args, "kubeconfig": None, "nodeGroups": None}
        super().__init__("muster:index:TrainingCluster", name, props, None, True)


training = TrainingCluster("training", GIVEN)
pulumi.export("kubeconfig", training.kubeconfig)
pulumi.export("workers", training.nodeGroups.apply(lambda groups: groups["workers"]["instanceType"]))
"""


def given(**change: object) -> dict[str, object]:
    """p5-odcr as arguments."""
    said = yaml.safe_load(filled_in(text_of("p5-odcr")))["config"]["muster:cluster"]
    args: dict[str, object] = spelled(said)
    return args | change


def theirs(tmp_path: Path, stand_in: StandIn, args: dict[str, object]) -> Project:
    """Another team's program, beside a checkout of Muster's components."""
    source = tmp_path / "source"
    source.mkdir()
    plugin = {"providers": [{"name": "muster", "path": str(ROOT / "muster" / "components")}]}
    project = {"name": "theirs", "runtime": {"name": "python", "options": {"toolchain": "uv", "virtualenv": ".venv"}}}
    (source / "Pulumi.yaml").write_text(yaml.safe_dump(project | {"plugins": plugin}), encoding="utf-8")
    (source / "__main__.py").write_text(PROGRAM, encoding="utf-8")
    (source / "given.json").write_text(json.dumps(args), encoding="utf-8")
    folder = tmp_path / "theirs"
    folder.mkdir()
    environment = {"PYTHONPATH": str(ROOT), "MUSTER_AS_OF": AS_OF}
    return Project(source, folder, stand_in, config={"aws:region": "us-west-2"}, environment=environment)


def test_a_program_makes_a_cluster_by_the_component(tmp_path: Path, stand_in: StandIn) -> None:
    """In preview and up; a second up changes nothing; the kubeconfig is a secret."""
    project = theirs(tmp_path, stand_in, given())
    assert set(project.preview().require().changes.values()) == {"create"}
    first = project.up().require()
    assert first.one("muster:index:TrainingCluster", "training")
    assert first.one("aws:eks/nodeGroup:NodeGroup", "workers")["parent"]
    shown = json.loads(project.run("stack", "output", "--json", "--stack", project.stack).require().stdout)
    assert shown == {"kubeconfig": "[secret]", "workers": "p5.48xlarge"}
    assert project.up().require().changes == {}


def test_what_the_rules_refuse_is_refused_in_a_preview(tmp_path: Path, stand_in: StandIn) -> None:
    """With the rule's words at the argument, and nothing is made."""
    project = theirs(tmp_path, stand_in, given(kubernetes="1.30"))
    for outcome in (project.preview(), project.up()):
        assert outcome.code != 0
        assert "kubernetes-version-supported" in outcome.text
        assert "components/" not in outcome.text, "a refusal has no trace of the plugin's own code"
        assert not [urn for urn in outcome.resources if "aws:" in urn]
