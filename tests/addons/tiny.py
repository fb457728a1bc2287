"""An add-on of ours, with a chart small enough to look through, and where Helm is."""

import shutil
from pathlib import Path

import pytest

from muster.addons.addon import Addon, Chart, Manifest
from muster.addons.workload import JobKind, Workload

FOLDER = Path(__file__).parent / "charts"
VERSION = "1.2.3"

TINY = Addon(
    name="tiny-addon",
    namespace="tiny-system",
    source=Chart("https://charts.example.org", "tiny", lambda _: {}),
    reason="tests",
    workloads=lambda _: (Workload("Deployment", "tiny", "tiny-system"),),
)

PLAIN = Addon(
    name="plain",
    namespace="plain-system",
    source=Manifest(
        "https://example.org/{version}/deploy/all-of-it.yaml", lambda version: {"plain": f"example/plain:{version[1:]}"}
    ),
    reason="tests",
    workloads=lambda _: (Workload("Deployment", "plain", "plain-system"),),
    runs=(JobKind("example.org/v1", "PlainJob"),),
)

MANIFEST = """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Namespace, metadata: {name: plain-system}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: plain}
spec: {template: {spec: {containers: [{name: plain, image: "plain:moving"}]}}}
"""


needs_helm = pytest.mark.skipif(not shutil.which("helm"), reason="no Helm on PATH (`.ci/helm`)")
