"""What is in the wheel and in the sdist."""

import re
import subprocess
import sys
import tarfile
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

from muster import __version__
from tests.installed.conftest import UV, Installed
from tests.stack_files import ROOT

LINKS = {each: f"muster/{each}" for each in ("infra", "addons", "policies")} | {"stacks": "muster/examples/stacks"}
"""A folder at the top, and the link to it in the package."""


def of_the_package() -> set[str]:
    """Every file of the package, those behind its links by the names of the links."""
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "muster", *LINKS)
    found = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    there = [name.partition("/") for name in found if (ROOT / name).is_file()]
    return {f"{LINKS.get(top, top)}/{rest}" for top, _, rest in there}


def test_the_wheel_has_every_file_of_the_package_and_no_other(installed: Installed) -> None:
    """A new table is in it without anybody's doing; neither tests nor tools are."""
    (file,) = installed.distributions.glob("*.whl")
    names = {name for name in ZipFile(file).namelist() if not re.match(r"muster_clusters-[^/]+\.dist-info/", name)}
    assert names == of_the_package()
    assert all((ROOT / link).is_symlink() for link in LINKS.values())


def test_the_sdist_has_them_too(installed: Installed) -> None:
    """And what a build needs, and the lock; again no tests."""
    (file,) = installed.distributions.glob("*.tar.gz")
    with tarfile.open(file) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    wanted = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "requirements.txt", "constraints.txt"}
    assert of_the_package() | wanted <= names
    assert not [name for name in names if name.startswith(("tests", "tools"))]


def test_the_metadata(installed: Installed) -> None:
    """The version is that of the package."""
    (file,) = installed.environment.glob("lib/python3*/site-packages/muster_clusters-*.dist-info/METADATA")
    metadata = Parser().parsestr(Path(file).read_text(encoding="utf-8"))
    assert (metadata["Name"], metadata["Version"]) == ("muster-clusters", __version__)


def test_the_name_that_pages_and_examples_install(installed: Installed) -> None:
    """Offline from a folder of packages, as docs/how-to/install.md says, and by the project of a consumer."""
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    (name,) = re.findall(r"--find-links muster-packages (\S+)", page)
    consumer = str(ROOT / "examples" / "consumer-python" / "pyproject.toml")
    asked = ("pip", "install", "--quiet", "--dry-run", "--no-deps", "--python", sys.executable)
    for what in (
        ("--offline", "--no-index", "--find-links", str(installed.distributions), name),
        ("--no-build-isolation", "--requirement", consumer),
    ):
        done = subprocess.run([UV, *asked, *what], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
