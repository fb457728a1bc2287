"""Other teams' programs on the real engine, reading a stack that is deployed there."""

import json
from pathlib import Path

import pytest

from muster.wire import SIGNATURE
from tests.examples.programs import EXAMPLES, STACK
from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Project
from tests.pulumi_engine.muster_stack import MusterStack
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import ROOT

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

QUOTA = {"requests.nvidia.com/gpu": "8", "requests.vpc.amazonaws.com/efa": "32"}


@pytest.fixture
def stack(muster: MakeStack) -> MusterStack:
    """p5-odcr, not deployed."""
    return muster("p5-odcr")


@pytest.fixture
def deployed(stack: MusterStack) -> MusterStack:
    """p5-odcr, up."""
    stack.up().require()
    return stack


@pytest.fixture
def shared(tmp_path: Path) -> dict[str, str]:
    """What leads to the stack's backend, which is in the test's own folder."""
    return {"PULUMI_BACKEND_URL": f"file://{tmp_path / 'state'}"}


@pytest.fixture
def consumer(stack: MusterStack, tmp_path: Path, stand_in: StandIn, shared: dict[str, str]) -> Project:
    """The consumer in Python, in a folder of its own, on the stack's backend."""
    folder = tmp_path / "consumer"
    folder.mkdir()
    with_muster = {"PYTHONPATH": str(ROOT)}  # what an installed muster package is to it
    return Project(EXAMPLES / "consumer-python", folder, stand_in, stack="dev", environment={**shared, **with_muster})


def test_the_consumer_in_python(deployed: MusterStack, consumer: Project) -> None:
    """In preview, up and once more: the quota is that of the group; the kubeconfig, and only it, is a secret."""
    assert set(consumer.preview().require().changes.values()) == {"create"}
    first = consumer.up().require()
    quota = first.one("kubernetes:core/v1:ResourceQuota", "devices")
    assert quota["inputs"]["spec"] == {"hard": QUOTA}
    assert quota["inputs"]["metadata"]["namespace"] == "research"
    provider = first.one("pulumi:providers:kubernetes", "cluster")["inputs"]
    assert SIGNATURE in provider["kubeconfig"]
    assert provider["clusterIdentifier"] == deployed.outputs()["cluster"]["arn"]
    shown = json.loads(consumer.run("stack", "output", "--json", "--stack", "dev").require().stdout)
    assert shown == {"namespace": "research", "quota": QUOTA}
    assert consumer.up().require().changes == {}
    assert consumer.destroy().require().resources == {}


def test_a_stack_that_is_not_deployed(consumer: Project) -> None:
    """The consumer ends in words that name the stack, before it has made anything."""
    for outcome in (consumer.preview(), consumer.up()):
        assert outcome.code != 0
        assert f"stack '{STACK}' has no output" in outcome.text
        assert "Traceback" not in outcome.text
        assert not [urn for urn in outcome.resources if "kubernetes:core" in urn]
