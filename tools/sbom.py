"""Writes muster.cdx.json: the packages of an installation of Muster, as a CycloneDX document (SBOM)."""

import json
import sys
from pathlib import Path

from muster import __version__, child_process

ROOT = Path(__file__).resolve().parent.parent
UV = child_process.PYTHON.with_name("uv")
EXPORT = ("export", "--frozen", "--no-dev", "--preview-features", "sbom-export", "--format", "cyclonedx1.5")


def main() -> None:
    """Uses the lock of `make setup`. Adds the version of Muster, which uv omits because pyproject.toml reads it."""
    done = child_process.run([UV, *EXPORT], cwd=ROOT)
    if done.returncode:
        sys.exit(done.stderr)
    made = json.loads(done.stdout)
    component = made["metadata"]["component"]
    component |= {"version": __version__, "purl": f"pkg:pypi/{component['name']}@{__version__}"}
    (ROOT / "muster.cdx.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
