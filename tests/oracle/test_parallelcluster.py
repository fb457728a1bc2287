"""AWS ParallelCluster's own schema accepts what Muster makes for it.

Its package is in an environment of its own, because its pins conflict with Pulumi's.
"""

import json
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from string import Template
from typing import Any

import pytest
import yaml

from muster.sources.keys import table_of
from tests.stack_files import ROOT

HERE = Path(__file__).parent
KINDS = {"config": "", "image": ".image"}
IDS = {
    "CAPACITY_BLOCK": "cr-0123456789abcdef0",
    "FILE_SYSTEM": "fs-0123456789abcdef0",
    "KEY_PAIR": "ml",
    "PARENT_IMAGE": "ami-0123456789abcdef0",
    "RESERVATION_GROUP": "arn:aws:resource-groups:us-west-2:210987654321:group/ml",
    "SECURITY_GROUP": "sg-0123456789abcdef0",
    "SUBNET": "subnet-0123456789abcdef0",
}
"""The ids that AWS has: the beginning of a variable in the golden configurations -> an id."""


class _Ids(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return next(given for start, given in IDS.items() if name.startswith(start))


def configurations() -> dict[str, Any]:
    """The goldens of all stacks on ParallelCluster, with ids of AWS's form."""
    made = {}
    for file in sorted((ROOT / "tests" / "golden").glob("pcluster-*.*.yaml")):
        stack, kind = file.name.removesuffix(".yaml").rsplit(".", 1)
        if kind in KINDS:
            text = Template(file.read_text(encoding="utf-8")).substitute(_Ids())
            text = re.sub(r"\b([a-z]+)-fill-me-in[a-z0-9-]*", r"\1-0123456789abcdef0", text)
            made[stack + KINDS[kind]] = yaml.safe_load(text)
    return made


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python that has AWS's package."""
    environment = tmp_path_factory.mktemp("parallelcluster") / "venv"
    uv = Path(sys.executable).with_name("uv")
    install = ("pip", "install", "--quiet", "--require-hashes", "--requirement", str(HERE / "parallelcluster.txt"))
    for arguments in (("venv", "--quiet", str(environment)), (*install, "--python", str(environment / "bin/python"))):
        done = subprocess.run([uv, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"AWS ParallelCluster's package cannot be installed: {done.stderr.strip()[-200:]}")
    return environment / "bin" / "python"


def asked(python: Path, given: dict[str, Any]) -> dict[str, Any]:
    """What the schema says of each: nothing, if it accepts it."""
    script = [python, "-I", HERE / "legal.py"]
    done = subprocess.run(script, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    messages: dict[str, Any] = json.loads(done.stdout)
    return messages


def test_the_schema_accepts_every_configuration(python: Path) -> None:
    """Of each stack, and of an image for it. It refuses a key that it does not know."""
    sound = configurations()
    assert len(sound) == 2 * len(list((ROOT / "stacks").glob("Pulumi.pcluster-*.yaml")))
    broken = {f"broken-{name}": deepcopy(each) | {"Bild": {}} for name, each in sound.items()}
    messages = asked(python, sound | broken)
    assert {name for name, told in messages.items() if told} == {*broken}
    assert all("Bild" in messages[name] for name in broken)


def test_every_key_of_the_schema_is_known(python: Path) -> None:
    """After an upgrade: the newer version in `tools/published_keys.py`, and run it."""
    done = subprocess.run([python, "-I", HERE / "published_keys.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    known = table_of("parallelcluster").blocks
    newer = {name: {*kinds} - known.get(name, {}).keys() for name, kinds in json.loads(done.stdout).items()}
    assert not any(newer.values())
