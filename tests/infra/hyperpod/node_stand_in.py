"""A node to run lifecycle scripts on: a folder in place of its root, and programs in place of what changes a machine.

`systemctl`, `sysctl`, `sleep` and `sync` are stand-ins that keep their state in files and write down what they were
told to change; everything else (bash, cp, mv, grep, awk, ...) is the real program. What is mounted is what the node's
`/proc/self/mountinfo` says. A bind mount is a line there and a link, and what it hides stands beside it under another
name.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from muster.blueprint.hyperpod.lifecycle_bundle import ON_CREATE, SETTINGS

SCRIPTS = Path(__file__).parents[3] / "infra" / "hyperpod" / "lifecycle_scripts"

_FAILS = """#!/usr/bin/env bash
if [[ -n ${FAILS:-} && "$(basename "$0") $*" == *"$FAILS"* ]]; then exit 1; fi
"""

_SYSTEMCTL = (
    _FAILS
    + """
unit=${@: -1}
state=$STATE/active/$unit
mountinfo=$LIFECYCLE_ROOT/proc/self/mountinfo
case $1 in
  is-active)
    [[ -e $state ]] && cat "$state" || echo inactive
    [[ -e $state && $(<"$state") == active ]]
    exit
    ;;
  cat) exec cat "$LIFECYCLE_ROOT"/{usr/lib,etc,run}/systemd/system/"$unit".service{,.d/*.conf} ;;
  show) exec cat "$STATE/pid-$unit" ;;
esac
echo "systemctl $*" >>"$STATE/calls"
said() { sed -n "s/^$1=//p" "$LIFECYCLE_ROOT/etc/systemd/system/$unit"; }
case $1 in
  stop) rm -f "$state" ;;
  start | restart) echo active >"$state" ;;
  enable)
    where=$(said Where) what=$(said What)
    # A condition that does not hold is no error of systemd's: the unit just does not start.
    grep -q " $(said ConditionPathIsMountPoint) " "$mountinfo" || exit 0
    [[ -d $LIFECYCLE_ROOT$where && -d $LIFECYCLE_ROOT$what ]] || exit 1
    [[ ! -L $LIFECYCLE_ROOT$where ]] || exit 1
    mv "$LIFECYCLE_ROOT$where" "$LIFECYCLE_ROOT$where.hidden"
    ln -s "$LIFECYCLE_ROOT$what" "$LIFECYCLE_ROOT$where"
    echo "50 1 259:1 ${what#/opt/sagemaker} $where rw shared:1 - xfs /dev/nvme1n1 rw" >>"$mountinfo"
    echo active >"$state"
    ;;
esac
"""
)

_MOUNTED = "40 1 259:1 / /opt/sagemaker rw,noatime shared:1 - xfs /dev/nvme1n1 rw"

_PROGRAMS = {
    "systemctl": _SYSTEMCTL,
    "sysctl": _FAILS
    + """
echo "sysctl $*" >>"$STATE/calls"
assignment=${*: -1}
want=${assignment#*=}
echo $((want < KERNEL_GIVES ? want : KERNEL_GIVES)) >"$LIFECYCLE_ROOT/proc/sys/vm/nr_hugepages"
""",
    "sleep": f"""#!/usr/bin/env bash
n=1
while [[ -e "$STATE/slept-$n" ]]; do n=$((n + 1)); done
echo "$1" >"$STATE/slept-$n"
[[ $n != "$MOUNTED_AFTER" ]] || echo '{_MOUNTED}' >>"$LIFECYCLE_ROOT/proc/self/mountinfo"
""",
    "sync": "#!/usr/bin/env bash\n",
    "cp": _FAILS + f'eval "$WHILE_COPYING"\nexec {shutil.which("cp")} "$@"\n',
}

_ROOT_VOLUME = "39 1 259:0 / / rw shared:1 - xfs /dev/nvme0n1p1 rw\n"


@dataclass(frozen=True, slots=True)
class Node:
    """A node as HyperPod hands it to its lifecycle scripts."""

    folder: Path
    running: tuple[str, ...] = ()
    """Services that run already."""
    mounted_after: int = 0
    """Waits until the secondary volume is mounted; 0 for mounted from the start."""
    root: Path = field(init=False)
    bundle: Path = field(init=False)
    state: Path = field(init=False)

    def __post_init__(self) -> None:
        for name in ("root", "bundle", "state"):
            object.__setattr__(self, name, self.folder / name)
        shutil.copytree(SCRIPTS, self.bundle)
        self.write("proc/meminfo", "MemTotal: 2097152000 kB\nHugepagesize:       2048 kB\n")
        for name in ("nr_hugepages", "drop_caches", "compact_memory"):
            self.write(f"proc/sys/vm/{name}", "0\n")
        self.write("var/lib/containerd/pause", "the image's own")
        self.write("var/lib/kubelet/kubeconfig", "of this node")
        (self.root / "opt" / "sagemaker").mkdir(parents=True)
        (self.state / "active").mkdir(parents=True)
        for service in self.running:
            self.is_(service, "active")
        (self.state / "calls").touch()
        self.write("proc/self/mountinfo", _ROOT_VOLUME + ("" if self.mounted_after else f"{_MOUNTED}\n"))
        programs = self.folder / "bin"
        programs.mkdir()
        for name, text in _PROGRAMS.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)

    def write(self, path: str, text: str) -> None:
        """A file of the node's."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def is_(self, service: str, state: str) -> None:
        """Have systemd say so of a service."""
        (self.state / "active" / service).write_text(f"{state}\n")

    def mount(self, source: str, folder: str, where: str) -> None:
        """Have the kernel say that a folder of a device is mounted there."""
        file = self.root / "proc/self/mountinfo"
        file.write_text(f"{file.read_text()}60 1 0:60 {folder} {where} rw shared:9 master:1 - any {source} rw\n")

    def read(self, path: str) -> str:
        """A file of the node's."""
        return (self.root / path).read_text()

    def told(self, settings: str | None) -> "Node":
        """With the group's settings beside the scripts."""
        if settings:
            (self.bundle / SETTINGS).write_text(settings)
        return self

    def create(self, *, fails: str = "", kernel_gives: int = 1_000_000, while_copying: str = "") -> int:
        """Run the entry point as HyperPod does, from another folder, without the environment of whoever tests.

        Args:
            fails: part of a command that is to fail.
            kernel_gives: huge pages that there are at most.
            while_copying: what happens on the node while data are copied, for a shell.
        """
        environment = {
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "LIFECYCLE_ROOT": str(self.root),
            "STATE": str(self.state),
            "FAILS": fails,
            "KERNEL_GIVES": str(kernel_gives),
            "WHILE_COPYING": while_copying,
            "MOUNTED_AFTER": str(self.mounted_after),
        }
        command = ["bash", str(self.bundle / ON_CREATE)]
        done = subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True, check=False)
        said = self.log()[-len(done.stdout.splitlines()) :] if done.stdout else []
        assert [line.split(" ", 1)[1] for line in done.stdout.splitlines()] == said, done.stderr
        return done.returncode

    def log(self) -> list[str]:
        """The log's lines, without their times."""
        file = self.root / "var/log/provision/provisioning.log"
        return [line.split(" ", 1)[1] for line in file.read_text().splitlines()] if file.exists() else []

    def calls(self) -> list[str]:
        """What was told to change, in order."""
        return (self.state / "calls").read_text().splitlines()

    def waits(self) -> list[str]:
        """Seconds of each wait, in order."""
        found = sorted(self.state.glob("slept-*"), key=lambda file: int(file.name.removeprefix("slept-")))
        return [file.read_text().strip() for file in found]

    def runs(self) -> set[str]:
        """Services and units that run."""
        return {file.name for file in (self.state / "active").iterdir() if file.read_text() == "active\n"}

    def tree(self) -> dict[str, str]:
        """Every file of the node but the log, and every link."""
        found = {}
        for each in sorted(self.root.rglob("*")):
            if each.is_symlink():
                found[str(each.relative_to(self.root))] = f"-> {each.readlink()}"
            elif each.is_file() and each.suffix != ".log":
                found[str(each.relative_to(self.root))] = each.read_text()
        return found
