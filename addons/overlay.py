"""Writes an overlay into a folder that the Kubernetes provider reads."""

from contextvars import ContextVar
from pathlib import Path
from typing import Any

import yaml

from muster import written_files
from muster.addons.addon import Patched
from muster.addons.context import AddonContext

FOLDER = ".muster/overlays"
"""In the project, where the engine runs programs and providers; git ignores it. Its name is in the state, so it is no
temporary folder."""

WRITES: ContextVar[bool] = ContextVar("WRITES", default=True)
"""False in a plan, where no provider reads the folder."""


def document(source: Patched, version: str, context: AddonContext) -> dict[str, Any]:
    """The `kustomization.yaml` of a version for a cluster. A manifest is also a base."""
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [source.address_of(version)],
        "patches": list(source.patches_of(version, source.values(context), context.mirrors.image)),
    }


def write(stack: str, name: str, source: Patched, version: str, context: AddonContext) -> str:
    """Writes it, and returns its folder's path in the project; the last part names the add-on and the version.

    Each stack has a folder: two stacks of one project may run at the same time.

    Raises:
        OSError: it cannot be written.
    """
    folder = f"{FOLDER}/{stack}/{name}-{version}"
    if not WRITES.get():
        return folder
    file = Path(folder) / "kustomization.yaml"
    wanted = yaml.safe_dump(document(source, version, context), sort_keys=False)
    if not file.is_file() or file.read_text(encoding="utf-8") != wanted:
        written_files.make_folder(file.parent)
        written_files.write(file, wanted)
    return folder
