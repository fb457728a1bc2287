"""A real chart becomes the objects that an installation puts on a cluster, as Helm renders it."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muster.addons.charts import ChartFault, Charts, Rendered, helm
from tests.addons.tiny import FOLDER, MANIFEST, PLAIN, TINY, VERSION, needs_helm

HERE = Charts.at(str(FOLDER))


def names(rendered: Rendered) -> set[tuple[str, str, str | None]]:
    return {(each["kind"], each["metadata"]["name"], each["metadata"].get("namespace")) for each in rendered.objects}


@needs_helm
def test_a_chart_becomes_what_an_installation_puts_on_a_cluster() -> None:
    """With its CRDs and the hooks of an installation, in the release's namespace where the template says none; without
    tests and the hooks of other times."""
    assert names(HERE.rendered(TINY, VERSION, {}, "1.35")) == {
        ("CustomResourceDefinition", "widgets.example.org", None),
        ("Deployment", "tiny", "tiny-system"),
        ("ServiceAccount", "elsewhere", "other"),
        ("ClusterRole", "tiny", None),
        ("Widget", "tiny", None),
        ("ConfigMap", "pre-install", "tiny-system"),
        ("ConfigMap", "post-install-post-upgrade", "tiny-system"),
    }


@needs_helm
def test_values_reach_the_templates() -> None:
    """A null deletes the chart's default; a sub-chart that is switched on comes with its CRDs."""
    rendered = HERE.rendered(TINY, VERSION, {"replicas": 3, "affinity": None, "part": {"enabled": True}}, "1.35")
    (deployment,) = (each for each in rendered.objects if each["kind"] == "Deployment")
    assert deployment["spec"]["replicas"] == 3
    assert "affinity" not in deployment["spec"]["template"]["spec"]
    assert {("CustomResourceDefinition", "parts.example.org", None), ("Secret", "part", "tiny-system")} < names(
        rendered
    )


@needs_helm
def test_the_clusters_kubernetes_is_what_the_chart_is_told() -> None:
    rendered = HERE.rendered(TINY, VERSION, {}, "1.35")
    (deployment,) = (each for each in rendered.objects if each["kind"] == "Deployment")
    assert (deployment["metadata"]["annotations"]["kubernetes"], rendered.notes) == ("v1.35.0", ())


@needs_helm
@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"replicas": "many"}, "replicas"),
        ({"refuse": True}, "this chart refuses that value"),
    ],
    ids=["schema", "template"],
)
def test_what_helm_refuses_is_said_in_its_words(values: dict, words: str) -> None:
    """On one line, with the add-on, the chart, and where the user's values are."""
    with pytest.raises(ChartFault) as told:
        HERE.rendered(TINY, VERSION, values, "1.35")
    message = str(told.value)
    assert message.startswith(f"tiny-addon: Helm cannot render {FOLDER / 'tiny'}: ")
    assert message.endswith(
        "; correct addons.tiny-addon.values in the stack file, or omit --charts to check simulated workloads"
    )
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\x00broken"])
def test_a_broken_archive_is_named(tmp_path: Path, content: bytes) -> None:
    """Before Helm is asked; there need be none."""
    (tmp_path / "tiny-1.2.3.tgz").write_bytes(content)
    with pytest.raises(
        ChartFault, match=r"^tiny-addon: .*tiny-1\.2\.3\.tgz is not a chart: the archive .*; fetch it again$"
    ):
        Charts.at(str(tmp_path)).rendered(TINY, VERSION, {}, "1.35")


def a_helm(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """A program of that name on PATH that does something else."""
    script = folder / "helm"
    script.write_text(f"#!{sys.executable}\n{body}\n")
    script.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda _: str(script))


def test_a_helm_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this hangs."""
    a_helm(tmp_path, monkeypatch, "import time; time.sleep(60)")
    monkeypatch.setattr(helm, "RENDERING_SECONDS", 0.3)
    begun = time.monotonic()
    with pytest.raises(ChartFault, match="it did not answer within 0 seconds"):
        HERE.rendered(TINY, VERSION, {}, "1.35")
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import sys; sys.exit(3)", "it exited with 3 without a message"),
        ("print('[1, 2]')", "is not valid for Kubernetes: not a Kubernetes object: '\\[1, 2\\]'"),
        ("print('a: {b')", "is not valid for Kubernetes: while parsing"),
        ("print('{apiVersion: v1, kind: Pod}')", "is not valid for Kubernetes: a Pod without a name"),
        ("print('{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: [b]}}')", "a Pod whose annotations"),
        ("print('{apiVersion: v1, kind: CustomResourceDefinition, metadata: {name: a}}')", "without a spec"),
    ],
)
def test_whatever_helm_does_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, words: str
) -> None:
    """Never as a traceback."""
    a_helm(tmp_path, monkeypatch, body)
    with pytest.raises(ChartFault, match=words):
        HERE.rendered(TINY, VERSION, {}, "1.35")


def test_a_manifest_needs_no_helm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its images are set as the installation sets them, its lists unpacked."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    (tmp_path / "plain-v2.0.0.yaml").write_text(MANIFEST)
    rendered = Charts.at(str(tmp_path)).rendered(PLAIN, "v2.0.0", {}, "1.35")
    assert names(rendered) == {
        ("Namespace", "plain-system", None),
        ("ConfigMap", "plain", "plain-system"),
        ("Deployment", "plain", "plain-system"),
    }
    (deployment,) = (each for each in rendered.objects if each["kind"] == "Deployment")
    assert deployment["spec"]["template"]["spec"]["containers"] == [{"name": "plain", "image": "example/plain:2.0.0"}]
    assert (rendered.version, rendered.notes) == ("v2.0.0", ())
    assert rendered.source == f"manifest plain v2.0.0 from {tmp_path / 'plain-v2.0.0.yaml'}"


def test_charts_are_not_loaded_unless_asked_for() -> None:
    """A rehearsal without charts starts no slower for them; and none of it loads pulumi."""
    program = (
        "import sys, muster.addons.values, muster.addons.daemon_sets; "
        "import muster.addons.catalogue; "
        "assert not {'muster.addons.charts', 'subprocess', 'pulumi'} & set(sys.modules), 'too much'; "
        "import muster.addons.charts; assert not {'pulumi'} & set(sys.modules), 'pulumi'"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
