"""Containers' data moved by the lifecycle scripts, really run; or left where they are, and the log says why."""

from pathlib import Path

import pytest

from tests.infra.hyperpod.lifecycle_words import (
    CONTAINERS,
    DRAIN,
    MOUNTS,
    PAGES_FILE,
    SERVICES,
    UNBOUND,
    WORKERS,
    placed,
    stays,
)
from tests.infra.hyperpod.node_stand_in import Node


@pytest.mark.parametrize(
    ("fails", "whys"),
    [
        ("stop kubelet", dict.fromkeys(reversed(SERVICES), "kubelet did not stop")),
        ("stop containerd", dict.fromkeys(reversed(SERVICES), "containerd did not stop")),
        (
            "cp -ax",
            {
                service: f"it could not be copied to /opt/sagemaker/muster/{service}; is the volume full?"
                for service in reversed(SERVICES)
            },
        ),
        ("--now var-lib-kubelet", {"kubelet": UNBOUND.format("kubelet")}),
        ("--now var-lib-containerd", {"containerd": UNBOUND.format("containerd")}),
        ("daemon-reload", {service: UNBOUND.format(service) for service in reversed(SERVICES)}),
    ],
)
def test_data_that_cannot_be_moved(tmp_path: Path, fails: str, whys: dict[str, str]) -> None:
    """The node keeps them where they are, complete, now and after a boot; services run as they did, HyperPod gets its
    node, and a second run moves them."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    assert node.create(fails=fails) == 0
    assert [line for line in node.log() if "warning" in line] == [stays(service, why) for service, why in whys.items()]
    moved = set(SERVICES) - set(whys)
    assert node.runs() == {*SERVICES, *(f"var-lib-{service}.mount" for service in moved)}
    assert {file.name for file in (node.root / "etc/systemd/system").glob("*")} == node.runs() - set(SERVICES)
    assert {file.name for file in (node.root / "var/lib").iterdir() if file.is_symlink()} == moved
    assert node.create() == 0
    assert node.runs() == {*SERVICES, *MOUNTS}
    assert node.read("var/lib/containerd/pause") == "the image's own"


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (': >"$LIFECYCLE_ROOT/proc/self/mountinfo"', UNBOUND),
        ('echo active >"$STATE/active/kubelet"', "kubelet has been started while it was copied"),
        ('echo activating >"$STATE/active/containerd"', "containerd has been started while it was copied"),
        ('mkdir -p "$LIFECYCLE_ROOT/run/containerd/io.containerd.runtime.v2.task/k8s.io/a"', CONTAINERS),
    ],
)
def test_what_happens_while_data_are_copied(tmp_path: Path, happens: str, why: str) -> None:
    """The volume goes, or HyperPod starts what we stopped: the copy is thrown away, and never bound later."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    assert node.create(while_copying=happens) == 0
    assert [line for line in node.log() if "warning" in line] == [
        stays(service, why.format(service)) for service in ("kubelet", "containerd")
    ]
    assert node.runs() == {*SERVICES}
    assert list((node.root / "etc/systemd/system").glob("*")) == []
    assert node.read("var/lib/kubelet/kubeconfig") == "of this node"


@pytest.mark.parametrize("state", ["active", "activating", "reloading", "deactivating"])
def test_whatever_may_write_is_stopped(tmp_path: Path, state: str) -> None:
    """A kubelet that fails and is started over and over is "activating": it would start between copy and bind. What was
    not up yet is not waited for: it may need what HyperPod does later."""
    node = Node(tmp_path).told(WORKERS)
    node.is_("kubelet", state)
    assert node.create() == 0
    up = state in {"active", "reloading"}
    calls = [call for call in node.calls() if call.endswith(" kubelet")]
    assert calls == [
        "systemctl restart kubelet" if up else "systemctl restart --no-block kubelet",
        "systemctl stop kubelet",
        "systemctl start kubelet",
    ]


@pytest.mark.parametrize("running", [(), SERVICES])
def test_a_node_with_containers(tmp_path: Path, running: tuple[str, ...]) -> None:
    """They outlive kubelet and containerd: what they write would be copied torn and then hidden. Nothing is stopped."""
    node = Node(tmp_path, running=running).told(WORKERS)
    node.write("run/containerd/io.containerd.runtime.v2.task/k8s.io/0a1b/init.pid", "4712")
    before = node.tree()
    assert node.create() == 0
    assert [line for line in node.log() if "warning" in line] == [
        stays(service, f"{CONTAINERS}; {DRAIN}") for service in ("kubelet", "containerd")
    ]
    assert not [call for call in node.calls() if "stop" in call or "daemon" in call]
    assert node.tree().keys() - before.keys() == {PAGES_FILE}


@pytest.mark.parametrize(
    ("service", "place"),
    [
        ("kubelet", "/var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/scratch/mount"),
        ("containerd", "/var/lib/containerd/tmpmounts/a"),
        ("kubelet", "/opt/sagemaker/muster/kubelet/pods/u/volumes/kubernetes.io~csi/scratch/mount"),
        ("kubelet", "/opt/sagemaker/muster/kubelet"),
        ("containerd", "/opt/sagemaker/muster/containerd"),
    ],
)
def test_what_is_mounted_there_stays(tmp_path: Path, service: str, place: str) -> None:
    """A shared file system below the folders is neither hidden nor, with all of its data, removed."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    node.mount("fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com@tcp:/fsx", "/", place)
    node.write(f"{place[1:]}/dataset", "a petabyte")
    assert node.create() == 0
    assert node.read(f"{place[1:]}/dataset") == "a petabyte"
    assert [line for line in node.log() if "warning" in line] == [
        stays(service, f"something is mounted at {place}; {DRAIN}")
    ]
    assert node.runs() == {*SERVICES, *MOUNTS} - {f"var-lib-{service}.mount"}


def test_a_unit_that_did_not_start(tmp_path: Path) -> None:
    """After a boot without the volume what is in use is on the root volume, and what the unit would bind may be newer:
    neither is removed."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    node.write("etc/systemd/system/var-lib-kubelet.mount", "of a former run")
    node.write("opt/sagemaker/muster/kubelet/pods", "of a former boot")
    assert node.create() == 0
    assert [line for line in node.log() if "warning" in line] == [
        stays("kubelet", "var-lib-kubelet.mount is there, and does not run; see journalctl -u var-lib-kubelet.mount")
    ]
    assert node.read("opt/sagemaker/muster/kubelet/pods") == "of a former boot"
    assert node.read("etc/systemd/system/var-lib-kubelet.mount") == "of a former run"


def test_a_volume_from_before_an_update(tmp_path: Path) -> None:
    """UpdateClusterSoftware gives a node a new root volume and leaves it the secondary one: what lies there of ours is
    of another image, and what the new image brings must come in its place. What is not ours stays."""
    node = Node(tmp_path).told(WORKERS)
    node.write("opt/sagemaker/muster/containerd/pause", "of the old image")
    node.write("opt/sagemaker/muster/containerd/layers", "of the old image")
    node.write("opt/sagemaker/muster/kubelet/pods", "long gone")
    node.write("opt/sagemaker/muster/kubelet.partial/pods", "of a run that was cut short")
    node.write("opt/sagemaker/kubelet/people", "their own")
    node.write("opt/sagemaker/containerd/data-root/people", "their own")
    assert node.create() == 0
    on_volume = node.root / "opt" / "sagemaker"
    assert {str(file.relative_to(on_volume)) for file in on_volume.rglob("*") if file.is_file()} == {
        "containerd/data-root/people",
        "kubelet/people",
        "muster/containerd/pause",
        "muster/kubelet/kubeconfig",
    }
    assert node.read("var/lib/containerd/pause") == "the image's own"


TOLD_OF_VOLUME = "it has been told of /opt/sagemaker: --root-dir=/opt/sagemaker/kubelet"


@pytest.mark.parametrize(
    ("file", "text", "where"),
    [
        *(
            (file, "--root-dir=/opt/sagemaker/kubelet\n", TOLD_OF_VOLUME)
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
        ),
        (
            "etc/sysconfig/kubelet",
            'ARGS="--v=2 --root-dir /data/kubelet"\n',
            "it has been told --root-dir /data/kubelet",
        ),
        ("etc/eks/containerd/a.toml", 'version = 2\nroot = "/data/c"\n', 'it has been told root = "/data/c'),
    ],
)
def test_a_kubelet_whose_data_are_elsewhere(tmp_path: Path, file: str, text: str, where: str) -> None:
    """Wherever it is told of another folder: what lies there is in use, and what lies in /var/lib is of no use."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    node.write(file, text)
    node.write("opt/sagemaker/kubelet/pods/u/volumes/kubernetes.io~csi/scratch/mount/dataset", "a petabyte")
    assert node.create() == 0
    assert node.read("opt/sagemaker/kubelet/pods/u/volumes/kubernetes.io~csi/scratch/mount/dataset") == "a petabyte"
    assert placed("kubelet", where) in node.log()
    assert "var-lib-kubelet.mount" not in node.runs()


def test_data_that_awss_base_script_has_moved(tmp_path: Path) -> None:
    """By a configuration of containerd's and a link: what lies on the volume is in use then."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    override = "ExecStart=/usr/bin/containerd --config /opt/sagemaker/containerd/config.toml"
    node.write("etc/systemd/system/containerd.service.d/override.conf", f"[Service]\n{override}\n")
    node.write("opt/sagemaker/containerd/data-root/layers", "in use")
    (node.root / "var/lib/kubelet").rename(node.root / "opt/sagemaker/kubelet")
    (node.root / "var/lib/kubelet").symlink_to(node.root / "opt/sagemaker/kubelet")
    assert node.create() == 0
    assert node.read("opt/sagemaker/containerd/data-root/layers") == "in use"
    assert node.read("opt/sagemaker/kubelet/kubeconfig") == "of this node"
    assert [call for call in node.calls() if "restart" not in call] == ["sysctl -q -w vm.nr_hugepages=5128"]
    assert node.log()[-3:-1] == [
        placed("kubelet", f"/var/lib/kubelet is a link to {node.root}/opt/sagemaker/kubelet"),
        placed("containerd", f"it has been told of /opt/sagemaker: {override}"),
    ]
