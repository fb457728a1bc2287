"""Add-ons from a stack of their own on the real engine, beside the cluster's: deployed, judged, removed, kept."""

from pathlib import Path

import pytest

from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Project
from tests.pulumi_engine.muster_stack import MusterStack
from tests.pulumi_engine.provider import StandIn
from tests.shared_stacks import ADDONS, CLUSTER, EXAMPLE, FULL
from tests.stack_files import AS_OF, ROOT, edited, filled_in

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

RELEASE = "kubernetes:helm.sh/v3:Release"
OWN = f"stacks/Pulumi.{ADDONS}.yaml"


def text_of(stack: str) -> str:
    """A stack of the example, its placeholders filled in."""
    return filled_in((EXAMPLE / f"Pulumi.{stack}.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def cluster(tmp_path: Path, stand_in: StandIn) -> MusterStack:
    """The cluster's stack, not deployed. What its own file says of the other's is judged with it."""
    files = {OWN: text_of(ADDONS)}
    return MusterStack(CLUSTER, tmp_path, stand_in, text=text_of(CLUSTER), facts="", beside=files)


QUEUE = "kubernetes:scheduling.volcano.sh/v1beta1:Queue"
VOLCANO = "      volcano: {queues: {test: {weight: 1}}}\n"


class Addons(Project):
    """The add-ons' stack, in a project of its own that has no file of the cluster's, on the same backend."""

    def __init__(self, folder: Path, stand_in: StandIn, backend: Path) -> None:
        folder.mkdir()
        environment = {"PULUMI_BACKEND_URL": f"file://{backend}", "MUSTER_AS_OF": AS_OF}
        super().__init__(
            ROOT,
            folder,
            stand_in,
            stack=ADDONS,
            environment=environment,
            files={OWN: text_of(ADDONS)},
        )
        self.edit(("      mpi-operator: {}\n", f"      mpi-operator: {{}}\n{VOLCANO}"))

    def edit(self, *edits: tuple[str, str]) -> None:
        """Changes the description."""
        text = (self.root / OWN).read_text()
        for before, after in edits:
            text = edited(text, before, after)
        (self.root / OWN).write_text(text)


@pytest.fixture
def addons(tmp_path: Path, stand_in: StandIn) -> Addons:
    """The add-ons' stack: those of the example, and Volcano with a queue, which is kept on removal."""
    return Addons(tmp_path / "own", stand_in, tmp_path / "state")


def asked(stand_in: StandIn, method: str) -> list[str]:
    """The releases and queues that were made, or deleted, by name."""
    return [call.name for token in (RELEASE, QUEUE) for call in stand_in.log.calls_of(method, token)]


def test_a_life(cluster: MusterStack, addons: Addons, stand_in: StandIn) -> None:
    """Refused while there is no cluster; then previewed, up, and up again without a change; what is removed goes, what
    is kept stays on the cluster, without its queues, and is forgotten here; destroy leaves the cluster alone."""
    for refused in (addons.preview(), addons.up()):
        assert refused.code != 0
        assert f"stack '{FULL}' has no output" in refused.text
        assert "Traceback" not in refused.text
    assert stand_in.log.names("create") == []

    deployed = cluster.up().require()
    assert not [urn for urn in deployed.resources if "muster:addons" in urn]
    planned = addons.preview(packs=["policies"]).require()
    assert [told for told in planned.violations if told.level == "mandatory"] == []
    first = addons.up().require()
    assert set(planned.changes) == set(first.changes)
    made = ["efa-device-plugin", "nvidia-device-plugin", "volcano", "volcano-queue-test"]
    assert sorted(asked(stand_in, "create")) == made
    provider = first.one("pulumi:providers:kubernetes", "cluster")["inputs"]
    assert provider["clusterIdentifier"] == cluster.outputs()["cluster"]["arn"]
    assert addons.up().require().changes == {}
    assert addons.outputs()["addonsOf"] == FULL

    addons.edit(("      efa-device-plugin: {}\n", ""), (VOLCANO, ""))
    left = addons.up().require()
    assert asked(stand_in, "delete") == ["efa-device-plugin", "volcano-queue-test"]
    assert not [urn for urn in left.resources if "volcano" in urn]
    assert addons.destroy().require().resources == {}
    assert asked(stand_in, "delete") == ["efa-device-plugin", "nvidia-device-plugin", "volcano-queue-test"]
    assert cluster.up().require().changes == {}


def test_what_may_go_goes(cluster: MusterStack, addons: Addons, stand_in: StandIn) -> None:
    """`on-destroy: delete` is said first, which changes nothing else; then removal uninstalls, queues before Volcano.
    Without it `destroy` of the add-ons' stack leaves Volcano on the cluster, and only its queue goes."""
    cluster.up().require()
    addons.up().require()
    assert addons.destroy().require().resources == {}
    assert "volcano" not in asked(stand_in, "delete")
    stand_in.log.clear()

    going = VOLCANO.replace("{queues", "{on-destroy: delete, queues")
    addons.up().require()
    addons.edit((VOLCANO, going))
    assert addons.up().require().changes == {}
    addons.edit((going, ""))
    addons.up().require()
    deleted = stand_in.log.names("delete")
    assert deleted == ["volcano-queue-test", "volcano"]


def test_add_ons_that_do_not_fit_the_cluster(cluster: MusterStack, addons: Addons, stand_in: StandIn) -> None:
    """Judged by what the cluster's stack exports: its file is not here."""
    cluster.up().require()
    made = len(stand_in.log.names("create"))
    addons.edit(("nvidia-device-plugin: {}", "neuron-device-plugin: {}"))
    for refused in (addons.preview(), addons.up()):
        assert refused.code != 0
        assert "addon-serves-a-group: " in refused.text
        assert "Traceback" not in refused.text
    assert len(stand_in.log.names("create")) == made
