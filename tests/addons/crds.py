"""Schemas of custom resources, out of the modules in which their projects publish them: Go's proxy has those.

`go mod download` fetches a module once, into Go's own cache, and checks its sum. Charts are in no registry that tests
reach; the CRDs in a module are those of the chart at the same tag (compared: Kueue 0.19.2, Volcano 1.15.0).
"""

import json
import shutil
import subprocess
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from muster.addon_sheets import ADDONS

Json = dict[str, Any]

_SECONDS = 300
_MODULES = {
    "kueue": ("sigs.k8s.io/kueue", "config/components/crd/bases/kueue.x-k8s.io_{plural}.yaml"),
    "volcano": ("volcano.sh/volcano", "config/crd/volcano/bases/{group}_{plural}.yaml"),
}
"""Add-on -> its module, and where in it a CRD is."""


def validator(addon: str, thing: Json) -> Draft202012Validator:
    """What judges objects of this one's kind, and of its version; a key that the schema does not know is a fault.

    Skips the test where there is no Go, or where it cannot fetch.
    """
    module, where = _MODULES[addon]
    group, version = thing["apiVersion"].split("/")
    version_of = ADDONS[addon].version.removeprefix("v")
    path = _folder(f"{module}@v{version_of}") / where.format(group=group, plural=f"{thing['kind'].lower()}s")
    crd = yaml.safe_load(path.read_text(encoding="utf-8"))
    (found,) = [each for each in crd["spec"]["versions"] if each["name"] == version and each["served"]]
    return Draft202012Validator(strict(found["schema"]["openAPIV3Schema"]))


@cache
def _folder(module: str) -> Path:
    go = shutil.which("go")
    if go is None:
        pytest.skip("no Go on PATH, which would fetch the module with the CRDs")
    command = [go, "mod", "download", "-json", module]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    said = json.loads(ran.stdout or "{}")
    if "Dir" not in said:
        pytest.skip(f"Go cannot fetch {module}: {said.get('Error') or ran.stderr.strip()}")
    return Path(said["Dir"])


def strict(schema: Json) -> Json:
    """The schema, refusing keys that it does not know: the API server drops them, and nobody would hear of it."""
    made: Json = deepcopy(schema)
    _close(made)
    # What every object has, and no CRD describes.
    made["properties"] |= {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    return made


def _close(schema: Any) -> None:
    if not isinstance(schema, dict):
        return
    if "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
        schema.setdefault("additionalProperties", False)
    for each in (*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")):
        _close(each)
