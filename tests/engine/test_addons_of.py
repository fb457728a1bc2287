"""Add-ons from a stack of their own on the real engine, beside the cluster's: deployed, judged, removed, kept."""

from pathlib import Path

import pytest

from tests.shared_stacks import ADDONS, CLUSTER, EXAMPLE, FULL
from tests.stack_files import AS_OF, ROOT, edited, filled_in

from .harness import MISSING_TOOLS, WHY_SKIPPED, Project
from .muster_stack import MusterStack
from .provider import StandIn

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


class Addons(Project):
    """The add-ons' stack, in a project of its own that has no file of the cluster's, on the same backend."""

    def __init__(self, folder: Path, stand_in: StandIn, backend: Path, **files: str) -> None:
        folder.mkdir()
        environment = {"PULUMI_BACKEND_URL": f"file://{backend}", "MUSTER_AS_OF": AS_OF}
        super().__init__(
            ROOT,
            folder,
            stand_in,
            stack=ADDONS,
            environment=environment,
            files={OWN: text_of(ADDONS), **files},
        )
        self.salt = (self.root / OWN).read_text().removeprefix(text_of(ADDONS))

    def edit(self, *edits: tuple[str, str]) -> None:
        """Changes the description."""
        text = (self.root / OWN).read_text()
        for before, after in edits:
            text = edited(text, before, after)
        (self.root / OWN).write_text(text)


# No chart of this catalogue that is kept is as small as this one; its file says so in the copy.
KEPT_PLUGIN = {
    "addons/efa_device_plugin.py": (
        "    workloads=_workloads,\n",
        '    workloads=_workloads,\n    loses="every test",\n',
    ),
    "muster/fleet/description/addons.py": ("efa_device_plugin: AddonOptions", "efa_device_plugin: KeptOptions"),
}


@pytest.fixture
def addons(tmp_path: Path, stand_in: StandIn) -> Addons:
    """The add-ons' stack, in a checkout whose EFA plugin is kept on removal."""
    files = {path: edited((ROOT / path).read_text(), *edit) for path, edit in KEPT_PLUGIN.items()}
    return Addons(tmp_path / "own", stand_in, tmp_path / "state", **files)


def releases(stand_in: StandIn, method: str) -> list[str]:
    """The releases that were made, or deleted."""
    return [call.name for call in stand_in.log.calls_of(method, RELEASE)]


def test_a_life(cluster: MusterStack, addons: Addons, stand_in: StandIn) -> None:
    """Refused while there is no cluster; then previewed, up, and up again without a change; what is removed goes, what
    is kept stays on the cluster and is forgotten here; destroy likewise, and leaves the cluster alone."""
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
    assert sorted(releases(stand_in, "create")) == ["efa-device-plugin", "nvidia-device-plugin"]
    provider = first.one("pulumi:providers:kubernetes", "cluster")["inputs"]
    assert provider["clusterIdentifier"] == cluster.outputs()["cluster"]["arn"]
    assert addons.up().require().changes == {}
    assert addons.outputs()["addonsOf"] == FULL

    addons.edit(("      nvidia-device-plugin: {}\n", ""), ("      efa-device-plugin: {}\n", ""))
    addons.up().require()
    assert releases(stand_in, "delete") == ["nvidia-device-plugin"]

    gone = addons.destroy().require()
    assert gone.resources == {}
    assert releases(stand_in, "delete") == ["nvidia-device-plugin"]
    assert cluster.up().require().changes == {}


def test_what_may_go_goes(cluster: MusterStack, addons: Addons, stand_in: StandIn) -> None:
    """`on-destroy: delete` is said first, as an update that changes nothing else; then removal uninstalls."""
    cluster.up().require()
    addons.up().require()
    addons.edit(("efa-device-plugin: {}", "efa-device-plugin: {on-destroy: delete}"))
    assert addons.up().require().changes == {}
    addons.edit(("      efa-device-plugin: {on-destroy: delete}\n", ""))
    addons.up().require()
    assert releases(stand_in, "delete") == ["efa-device-plugin"]


def test_add_ons_that_do_not_fit_the_cluster(cluster: MusterStack, addons: Addons, stand_in: StandIn) -> None:
    """Judged by what the cluster's stack exports: its file is not here."""
    cluster.up().require()
    made = len(stand_in.log.names("create"))
    addons.edit(("nvidia-device-plugin: {}", "neuron-device-plugin: {}"))
    for refused in (addons.preview(), addons.up()):
        assert refused.code != 0
        assert "addon-serves-a-group: neuron-device-plugin makes nodes offer aws.amazon.com/neuron" in refused.text
        assert "Traceback" not in refused.text
    assert len(stand_in.log.names("create")) == made
