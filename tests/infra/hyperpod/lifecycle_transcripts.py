"""The lifecycle scripts, really run on stand-ins of nodes: `tests/golden/lifecycle_scripts.txt`, by `make goldens`.

Each node's part has its log, what was told to change, what runs afterwards and which files differ; then the same of a
second run, which HyperPod makes after a software update, and people by hand. Of every node holds that nothing is lost.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from muster.blueprint.hyperpod.lifecycle_bundle import ON_CREATE, SCRIPTS, SETTINGS, settings
from muster.size import Size
from tests.infra.hyperpod.node_stand_in import Node

FILE = Path("tests/golden/lifecycle_scripts.txt")

WORKERS = settings("workers", Size(10256), data_volume=True)
SERVICES = ("containerd", "kubelet")
CONTAINER = "run/containerd/io.containerd.runtime.v2.task/k8s.io/0a1b/init.pid"
ROOT_DIR = "--root-dir=/opt/sagemaker/kubelet\n"
DATASET = "opt/sagemaker/kubelet/pods/u/volumes/kubernetes.io~csi/scratch/mount/dataset"
CONTAINERD_ELSEWHERE = "ExecStart=/usr/bin/containerd --config /opt/sagemaker/containerd/config.toml\n"


@dataclass(frozen=True)
class Scenario:
    """A node before HyperPod runs the scripts, and what happens to it."""

    running: tuple[str, ...] = SERVICES
    settings: str = WORKERS
    mounted_after: int = 0
    files: Mapping[str, str] = field(default_factory=dict)
    """What somebody has put there, and is still there afterwards."""
    stale: Mapping[str, str] = field(default_factory=dict)
    """What an older image left on the volume."""
    states: Mapping[str, str] = field(default_factory=dict)
    mounts: tuple[str, ...] = ()
    """Where a shared file system is mounted."""
    linked: str = ""
    """A service whose data others have moved to the volume, and linked."""
    missing: str = ""
    """A file that is not beside the others."""
    fails: str = ""
    kernel_gives: int = 1_000_000
    while_copying: str = ""
    once: bool = False
    """Whether a second run would show nothing new."""
    ends: bool = False
    """Whether the node cannot be made, however often the scripts run."""


def _told(service: str, file: str, text: str) -> Scenario:
    return Scenario(files={file: text, **({DATASET: "a petabyte"} if service == "kubelet" else {})}, once=True)


SCENARIOS: Mapping[str, Scenario] = {
    "a fresh node, where nothing runs yet": Scenario(running=()),
    "services that run see what changed": Scenario(),
    "a volume that is mounted late": Scenario(running=(), mounted_after=3),
    "a volume that never comes": Scenario(mounted_after=1000),
    "no volume and no huge pages": Scenario(settings=settings("system", Size(0), data_volume=False)),
    "a kernel with too few pages": Scenario(kernel_gives=5000),
    "a kernel with pages of another size": Scenario(
        files={"proc/meminfo": "MemTotal: 1 kB\nHugepagesize:     524288 kB\n"}, ends=True
    ),
    "a kernel that does not say how large its pages are": Scenario(
        files={"proc/meminfo": "MemTotal: 1 kB\n"}, ends=True
    ),
    **{f"{fails} fails": Scenario(fails=fails) for fails in ("sysctl -q -w", "restart kubelet", "start containerd")},
    **{
        f"{fails} fails: the data stay where they are": Scenario(fails=fails)
        for fails in (
            "stop kubelet",
            "stop containerd",
            "cp -ax",
            "--now var-lib-kubelet",
            "--now var-lib-containerd",
            "daemon-reload",
        )
    },
    "the volume goes while data are copied": Scenario(while_copying=': >"$LIFECYCLE_ROOT/proc/self/mountinfo"'),
    "kubelet is started while data are copied": Scenario(while_copying='echo active >"$STATE/active/kubelet"'),
    "containerd is being started while data are copied": Scenario(
        while_copying='echo activating >"$STATE/active/containerd"'
    ),
    "a container appears while data are copied": Scenario(
        while_copying='mkdir -p "$LIFECYCLE_ROOT/run/containerd/io.containerd.runtime.v2.task/k8s.io/a"'
    ),
    **{
        f"a kubelet that is {state}": Scenario(running=(), states={"kubelet": state})
        for state in ("activating", "reloading", "deactivating")
    },
    "a node with containers": Scenario(files={CONTAINER: "4712"}),
    "a node with containers, whose services do not run": Scenario(running=(), files={CONTAINER: "4712"}),
    **{
        f"a file system is mounted at {place}": Scenario(mounts=(place,), files={f"{place[1:]}/dataset": "a petabyte"})
        for place in (
            "/var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/scratch/mount",
            "/var/lib/containerd/tmpmounts/a",
            "/opt/sagemaker/muster/kubelet/pods/u/volumes/kubernetes.io~csi/scratch/mount",
            "/opt/sagemaker/muster/kubelet",
            "/opt/sagemaker/muster/containerd",
        )
    },
    "a unit of a former run that did not start": Scenario(
        files={
            "etc/systemd/system/var-lib-kubelet.mount": "of a former run",
            "opt/sagemaker/muster/kubelet/pods": "of a former boot",
        }
    ),
    "a volume from before an update of the node's software": Scenario(
        running=(),
        stale={
            "opt/sagemaker/muster/containerd/pause": "of the old image",
            "opt/sagemaker/muster/containerd/layers": "of the old image",
            "opt/sagemaker/muster/kubelet/pods": "long gone",
            "opt/sagemaker/muster/kubelet.partial/pods": "of a run that was cut short",
        },
        files={
            "opt/sagemaker/kubelet/people": "their own",
            "opt/sagemaker/containerd/data-root/people": "their own",
        },
    ),
    **{
        f"kubelet is told of another folder in {file}": _told("kubelet", file, ROOT_DIR)
        for file in (
            "etc/eks/kubelet/environment",
            "etc/kubernetes/kubelet/config.json",
            "etc/sysconfig/kubelet",
            "etc/default/kubelet",
            "etc/systemd/system/kubelet.service",
            "etc/systemd/system/kubelet.service.d/10.conf",
            "run/systemd/system/kubelet.service.d/10.conf",
            "usr/lib/systemd/system/kubelet.service",
        )
    },
    "kubelet is told of a folder that is not on the volume": _told(
        "kubelet", "etc/sysconfig/kubelet", 'ARGS="--v=2 --root-dir /data/kubelet"\n'
    ),
    "containerd is told of another folder": _told(
        "containerd", "etc/eks/containerd/a.toml", 'version = 2\nroot = "/data/c"\n'
    ),
    "AWS's base script has moved the data": Scenario(
        files={
            "etc/systemd/system/containerd.service.d/override.conf": f"[Service]\n{CONTAINERD_ELSEWHERE}",
            "opt/sagemaker/containerd/data-root/layers": "in use",
        },
        linked="kubelet",
    ),
    **{
        f"{missing} is not beside the others": Scenario(missing=missing, once=True, ends=True)
        for missing in sorted({*SCRIPTS, SETTINGS} - {ON_CREATE, "log.sh"})
    },
    **{
        f"settings that say {number!r} pages": Scenario(settings=f"HUGE_PAGES='{number}'\n", once=True, ends=True)
        for number in ("many", "-1", "08", "1 2")
    },
}


def page() -> str:
    """The golden file."""
    return "\n".join(f"==== {title}\n{_transcript(scenario)}" for title, scenario in SCENARIOS.items())


def _transcript(scenario: Scenario) -> str:
    with TemporaryDirectory() as folder:
        node = _node(Path(folder), scenario)
        first = _ran(
            node, fails=scenario.fails, kernel_gives=scenario.kernel_gives, while_copying=scenario.while_copying
        )
        _assert_nothing_is_lost(node, scenario)
        if scenario.once:
            assert (first[0] != "exit 0") is scenario.ends
            return "\n".join([*first, ""]).replace(str(node.root), "")
        again = _ran(node)
        _assert_nothing_is_lost(node, scenario)
        assert (again[0] != "exit 0") is scenario.ends
        lost = {scenario.fails.removeprefix("start ")}  # what could not start again, nobody starts
        assert set(scenario.running) - lost <= node.runs()
        return "\n".join([*first, "-- again", *again, ""]).replace(str(node.root), "")


def _node(folder: Path, scenario: Scenario) -> Node:
    node = Node(folder, running=scenario.running, mounted_after=scenario.mounted_after).told(scenario.settings)
    for path, text in {**scenario.files, **scenario.stale}.items():
        node.write(path, text)
    for service, state in scenario.states.items():
        node.is_(service, state)
    for place in scenario.mounts:
        node.mount("fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com@tcp:/fsx", "/", place)
    if scenario.linked:
        there, here = (node.root / where / scenario.linked for where in ("opt/sagemaker", "var/lib"))
        here.rename(there)
        here.symlink_to(there)
    if scenario.missing:
        (node.bundle / scenario.missing).unlink()
    return node


def _assert_nothing_is_lost(node: Node, scenario: Scenario) -> None:
    """What the image brings is where services look for it, and what somebody else has put there is as it was."""
    assert node.read("var/lib/containerd/pause") == "the image's own"
    assert node.read("var/lib/kubelet/kubeconfig") == "of this node"
    assert {path: node.read(path) for path in scenario.files} == scenario.files


def _ran(node: Node, **how: Any) -> list[str]:
    """The end of a run, its log, what it told to change, how often it waited, what runs then and which files differ."""
    before, logged, called, waited = _files(node), len(node.log()), len(node.calls()), len(node.waits())
    code = node.create(**how)
    after = _files(node)
    waits = Counter(node.waits()[waited:])
    return [
        f"exit {code}",
        *(f"log  {line}" for line in node.log()[logged:]),
        *(f"told {call}" for call in node.calls()[called:]),
        *(f"waits {times} x {seconds} s" for seconds, times in waits.items()),
        f"runs {' '.join(sorted(node.runs()))}",
        *(f"- {path}" for path in before if path not in after),
        *(f"+ {path}: {after[path]!r}" for path in after if before.get(path) != after[path]),
    ]


def _files(node: Node) -> dict[str, str]:
    return {path: text for path, text in node.tree().items() if path != "proc/self/mountinfo"}
