"""`muster addons`: shown in their order, rendered, judged; and whatever is wrong is told in words."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.addons.small_charts import NVIDIA, a_chart, small_charts
from tests.addons.tiny import needs_helm
from tests.cli.conftest import Muster

NAMES = [
    *("vpc-cni", "kube-proxy", "eks-pod-identity-agent", "coredns"),
    *("nvidia-device-plugin", "efa-device-plugin", "mpi-operator"),
]
TEXT = {"type": "string"}
ENTRY = {
    "name": TEXT,
    "version": TEXT,
    "kind": {"enum": ["chart", "manifest", "kustomization", "eks-addon", "objects"]},
    "namespace": TEXT,
    "after": {"type": "array", "items": TEXT},
    "serves": {"type": "object", "additionalProperties": {"type": "array", "items": TEXT}},
    "reason": TEXT,
}
DEAF = NVIDIA.replace("{{ toJson .Values.tolerations }}", "[]")


@pytest.fixture
def charts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small charts under the names of ours."""
    return small_charts(tmp_path_factory.mktemp("charts"))


# Shown.


def test_both_forms_work_as_they_are_typed(muster: Muster) -> None:
    """The stack alone is shown; with the command's own name it is the same."""
    shown = muster("addons", "p5-odcr")
    assert (shown.code, shown.err) == (0, "")
    assert muster("addons", "show", "p5-odcr").out == shown.out
    assert muster("addons", "Pulumi.p5-odcr.yaml").out == shown.out
    assert muster("addons", "--json", "p5-odcr").out == muster("addons", "p5-odcr", "--json").out != shown.out
    assert muster("addons", "render", "p5-odcr").code == 0


def test_a_stack_that_is_named_like_a_command(muster: Muster) -> None:
    """By its file, or after the command that is meant."""
    for name in ("render", "show", "rendr"):
        shutil.copy(muster.file(), muster.file(name))
    first = muster("addons", "p5-odcr").out.splitlines()[1:]
    for arguments in (("Pulumi.render.yaml",), ("show", "render"), ("show", "show"), ("rendr",)):
        assert muster("addons", *arguments).out.splitlines()[1:] == first
    assert "not rendered" in muster("addons", "render", "render").out


def test_the_table_is_the_order(muster: Muster) -> None:
    """With EKS's own first, and under it why each is there, what comes before it, and what removing it loses."""
    lines = [" ".join(line.split()) for line in muster("addons", "p5-odcr").out.splitlines()]
    assert lines[0] == "p5-odcr: add-ons, in order of installation"
    rows = [line.split() for line in lines if re.match(r"\d+ ", line)]
    assert [row[1] for row in rows] == NAMES
    assert rows[4] == [
        "5",
        *[
            "nvidia-device-plugin",
            "0.20.0",
            "chart",
            "kube-system",
            "1.10",
            "and",
            "newer",
            "workers:",
            "nvidia.com/gpu",
            "4",
        ],
    ]
    below = lines[lines.index("") + 1 :]
    told = ("after", "before the nodes", "runs", "kept")
    assert [line.partition(":")[0] for line in below if not line.startswith(told)] == NAMES
    assert below[1].startswith("before the nodes: ")
    assert "kept, because uninstalling it deletes every MPIJob; set on-destroy: delete to uninstall it" in below


def test_the_json_is_a_list_by_contract(muster: Muster) -> None:
    """In order; everything that comes before an entry is before it."""
    told = muster("addons", "p5-odcr", "--json").json
    jsonschema.validate(
        told, {"type": "array", "items": {"type": "object", "properties": ENTRY, "required": list(ENTRY)}}
    )
    assert [each["name"] for each in told] == NAMES
    for number, each in enumerate(told):
        assert set(each["after"]) <= set(NAMES[:number])
        assert set(each["afterReasons"]) == set(each["after"])
    found = {each["name"]: each for each in told}
    assert found["efa-device-plugin"]["serves"] == {"workers": ["vpc.amazonaws.com/efa"]}
    assert found["nvidia-device-plugin"]["kubernetes"] == {"first": "1.10", "last": None}
    assert (found["vpc-cni"]["kind"], found["vpc-cni"]["kubernetes"]) == ("eks-addon", None)
    assert (found["mpi-operator"]["kept"], found["mpi-operator"]["loses"]) == (True, "every MPIJob")


def test_completion_offers_commands_and_stacks(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where either may stand; and no name with a control code, or more than one line."""
    for name in ("x\x1b[2J", "x\n::error::y"):
        muster.file(name).write_text("")
    monkeypatch.setenv("_MUSTER_COMPLETE", "complete_bash")
    offered = {}
    for words, number in (("muster addons ", "2"), ("muster addons render ", "3"), ("muster mirror ", "2")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", number)
        offered[words.split()[-1]] = set(muster().out.split())
    assert offered == {"addons": {"show", "render", "p5-odcr"}, "render": {"p5-odcr"}, "mirror": {"p5-odcr"}}


# Rendered.


@needs_helm
def test_what_lands_where_is_shown_and_counted(muster: Muster, charts: Path) -> None:
    """Every workload with its groups; EKS's own are told as EKS's."""
    ran = muster("addons", "render", "p5-odcr", "--charts", str(charts), "--strict")
    assert (ran.code, ran.err) == (0, "")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    rows = {tuple(line.split()[:4]) for line in lines}
    assert ("nvidia-device-plugin", "DaemonSet", "kube-system/nvidia-device-plugin", "workers") in rows
    assert ("mpi-operator", "Deployment", "mpi-operator/mpi-operator", "system") in rows
    assert "coredns, eks-pod-identity-agent, kube-proxy, vpc-cni: not rendered: EKS renders it" in lines
    assert lines[-2:] == ["p5-odcr: clean", "3 of 3 add-ons rendered and checked"]


def test_without_charts_nothing_is_called_checked(muster: Muster) -> None:
    """Exit 4 under --strict, 0 without."""
    ran = muster("addons", "render", "p5-odcr")
    assert ran.code == 0
    assert "0 of 3 add-ons rendered and checked" in ran.out
    assert ran.out.count("not rendered: no charts are available; give --charts") == 3
    strict = muster("addons", "render", "p5-odcr", "--strict", "--json")
    assert strict.code == 4
    assert [(each["rendered"], each["checked"], each["workloads"]) for each in strict.json["addons"]] == [
        (False, False, [])
    ] * 3
    assert {each["resource"] for each in strict.json["notEvaluated"]} == {f"addons.{name}" for name in NAMES[4:]}


@needs_helm
def test_a_chart_that_is_not_there_is_named_and_the_others_are_checked(muster: Muster, charts: Path) -> None:
    """--strict is for those who want all."""
    shutil.rmtree(charts / "nvidia-device-plugin-0.20.0")
    ran = muster("addons", "render", "p5-odcr", "--charts", str(charts), "--strict")
    assert ran.code == 4
    assert f"nvidia-device-plugin: not rendered: there is no nvidia-device-plugin-0.20.0.tgz in '{charts}'" in ran.out
    assert "2 of 3 add-ons rendered and checked" in ran.out


@needs_helm
def test_the_json_of_what_was_rendered(muster: Muster, charts: Path) -> None:
    """Objects, images, where each workload lands and what keeps it off the other groups."""
    told = muster("addons", "render", "p5-odcr", "--charts", str(charts), "--json").json
    assert (told["contract"], told["stack"], told["findings"], told["notEvaluated"]) == (1, "p5-odcr", [], [])
    plugin = told["addons"][0]
    assert plugin["workloads"] == [
        {
            "kind": "DaemonSet",
            "namespace": "kube-system",
            "name": "nvidia-device-plugin",
            "hook": False,
            "groups": ["workers"],
            "obstacles": {
                "system": (
                    "its affinity requires node.kubernetes.io/instance-type in p5.48xlarge, but the node has c5.2xlarge"
                )
            },
        }
    ]
    assert plugin["images"] == ["nvcr.io/nvidia/k8s-device-plugin:v0.20.0"]
    assert plugin["address"] == "https://nvidia.github.io/k8s-device-plugin/nvidia-device-plugin"
    assert [each["kind"] for each in plugin["objects"]] == ["DaemonSet"]
    assert {each["name"] for each in told["eks"]} == set(NAMES[:4])


@needs_helm
def test_a_users_value_that_keeps_a_plugin_off_is_told_at_its_addon(muster: Muster, charts: Path) -> None:
    """The rule, and the add-on whose values the description sets; exit 1."""
    muster.edit("nvidia-device-plugin: {}", "nvidia-device-plugin:\n        values:\n          tolerations: []")
    ran = muster("addons", "render", "p5-odcr", "--charts", str(charts), "--json")
    assert ran.code == 1
    (finding,) = ran.json["findings"]
    assert finding["rule"] == "plugin-lands-where-it-serves"
    assert finding["where"]["file"] == "stacks/Pulumi.p5-odcr.yaml"
    assert finding["where"]["path"] == "addons.nvidia-device-plugin"


@needs_helm
def test_what_our_own_values_get_wrong_exits_3(muster: Muster, tmp_path: Path) -> None:
    """After all has been shown: no description mends that."""
    ran = muster("addons", "render", "p5-odcr", "--charts", str(small_charts(tmp_path / "charts", nvidia=DEAF)))
    assert ran.code == 3
    assert "nvidia-device-plugin does not run on group workers" in ran.out
    assert "    fix: this is a bug in Muster: please report it\n" in ran.out
    assert ran.err.startswith("bug in Muster: with Muster's own values, nvidia-device-plugin: DaemonSet kube-system/")


@needs_helm
def test_what_is_rendered_is_written_to_a_folder(muster: Muster, charts: Path) -> None:
    """A file an add-on, for kubectl; what is there is never written over."""
    assert muster("addons", "render", "p5-odcr", "--charts", str(charts), "--out", "made/here").code == 0
    made = muster.folder / "made" / "here"
    assert {file.name for file in made.iterdir()} == {f"{name}.yaml" for name in NAMES[4:]}
    (plugin,) = yaml.safe_load_all((made / "nvidia-device-plugin.yaml").read_text())
    assert (plugin["kind"], plugin["metadata"]["namespace"]) == ("DaemonSet", "kube-system")
    again = muster("addons", "render", "p5-odcr", "--charts", str(charts), "--out", "made/here")
    assert again.code == 2
    assert again.err == "error: --out 'made/here' is not empty, and Muster overwrites no files; give a new folder\n"


@needs_helm
def test_both_mirrors_are_in_all_that_is_rendered_and_in_the_list(muster: Muster, charts: Path) -> None:
    """Every address begins with them, and the list of what to copy has each."""
    muster.edit(
        "    addons:\n", "    image-mirror: r.example.org/m\n    chart-mirror: oci://r.example.org/c\n    addons:\n"
    )
    told = muster("addons", "render", "p5-odcr", "--charts", str(charts), "--json").json
    listed = muster("mirror", "p5-odcr", "--json").json
    addresses = {each["address"] for each in told["addons"] if each["kind"] == "chart"}
    assert addresses == {each["destination"] for each in listed["charts"]}
    assert all(each.startswith("oci://r.example.org/c/") for each in addresses)
    images = {image for each in told["addons"] for image in each["images"]}
    foreign = {image for image in images if not image.startswith("r.example.org/m/")}
    # What has no value for its image is told, and nothing else is.
    assert {each["got"].split()[1] for each in told["findings"]} == foreign
    assert images - foreign <= {each["destination"] for each in listed["images"]}


# Wrong input.


@needs_helm
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda charts: (charts / "nvidia-device-plugin-0.20.0" / "Chart.yaml").write_text("name: x"),
            "sets no version",
        ),
        (
            lambda charts: (charts / "nvidia-device-plugin-0.20.0" / "Chart.yaml").write_text("{"),
            "Chart.yaml is not valid YAML",
        ),
        (lambda charts: (charts / "mpi-operator-v0.8.2.yaml").write_text("a: {b"), "mpi-operator: the output of "),
        (
            lambda charts: (charts / "nvidia-device-plugin-0.20.0" / "templates" / "all.yaml").write_text(
                "{{ nonsense }}"
            ),
            "nonsense",
        ),
    ],
    ids=["no version", "no YAML", "manifest", "template"],
)
def test_a_broken_chart_is_wrong_input(muster: Muster, charts: Path, change: Any, said: str) -> None:
    """Whatever the description says, it would not render: exit 2, and the chart is named."""
    change(charts)
    ran = muster("addons", "render", "p5-odcr", "--charts", str(charts))
    assert ran.code == 2
    assert ran.err.startswith("error: ")
    assert said in ran.err
    assert str(charts) in ran.err
    assert not ran.out


@needs_helm
def test_a_value_that_its_chart_refuses_is_told(muster: Muster, charts: Path) -> None:
    """In Helm's words; exit 1."""
    muster.edit("nvidia-device-plugin: {}", "nvidia-device-plugin: {values: {refuse: true}}")
    ran = muster("addons", "render", "p5-odcr", "--charts", str(charts))
    assert ran.code == 1
    assert "mandatory chart-renders: nvidia-device-plugin: Helm cannot" in ran.out
    assert "this chart refuses that value" in ran.out
    assert "omit --charts" not in ran.out


@needs_helm
def test_a_chart_of_another_version_is_taken_and_told(muster: Muster, charts: Path) -> None:
    """Of two the newer, where none is the one that is asked for; where one is, that."""
    for version in ("0.18.0", "0.19.0"):
        a_chart(charts, "nvidia-device-plugin", version, NVIDIA)
    ran = muster("addons", "render", "p5-odcr", "--charts", str(charts))
    assert "nvidia-device-plugin: chart nvidia-device-plugin 0.20.0 from" in ran.out
    shutil.rmtree(charts / "nvidia-device-plugin-0.20.0")
    ran = muster("addons", "render", "p5-odcr", "--charts", str(charts))
    assert ran.code == 0
    assert "nvidia-device-plugin: Muster checked version 0.19.0, which it found; it would install 0.20.0" in ran.out


def test_a_description_without_addons_has_nothing_to_render(muster: Muster) -> None:
    """Said so; and shown are EKS's own."""
    text = muster.file().read_text()
    muster.file().write_text(text[: text.index("    addons:\n")])
    ran = muster("addons", "render", "p5-odcr", "--strict")
    assert ran.code == 0
    assert "p5-odcr: the description has no add-ons to render" in ran.out
    assert [each["name"] for each in muster("addons", "p5-odcr", "--json").json] == NAMES[:4]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("p5-ocdr",), "there is no stack 'p5-ocdr' in {stacks}; did you mean 'p5-odcr'?"),
        (("render", "p5-ocdr"), "there is no stack 'p5-ocdr' in {stacks}; did you mean 'p5-odcr'?"),
        (("render",), "needs a stack"),
        (("rendr", "p5-odcr"), "No such command 'rendr'. Did you mean 'render'?"),
        (("p5-odcr", "render"), "Got unexpected extra argument"),
        (("p5-odcr", "--charts", "x"), "No such option"),
        (("render", "p5-odcr", "--charts", "nowhere"), "--charts 'nowhere': the folder does not exist"),
        (
            ("render", "p5-odcr", "--charts", "Pulumi.yaml"),
            "--charts 'Pulumi.yaml' is a file; give the folder that contains it",
        ),
        (("render", "p5-odcr", "--charts", ""), "--charts is empty; give a folder with charts"),
        (("render", "p5-odcr", "--out", "Pulumi.yaml"), "--out 'Pulumi.yaml' is a file; give a folder"),
        (
            ("render", "p5-odcr", "--out", "stacks"),
            "--out 'stacks' is not empty, and Muster overwrites no files; give a new folder",
        ),
        (("render", "p5-odcr", "--out", "Pulumi.yaml/x"), "--out 'Pulumi.yaml/x' cannot be used: Not a directory"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_wrong_input_exits_2_with_words(muster: Muster, arguments: tuple[str, ...], said: str) -> None:
    ran = muster("addons", *arguments)
    assert ran.code == 2
    assert said.format(stacks=muster.folder / "stacks") in " ".join(ran.err.replace("│", " ").split())
    assert not ran.out


@pytest.mark.parametrize("command", [("addons",), ("addons", "render"), ("mirror",)])
def test_a_file_without_the_form_is_told_at_its_place(muster: Muster, command: tuple[str, ...]) -> None:
    """On stderr: stdout is a program's."""
    muster.edit("nvidia-device-plugin: {}", "nvidia-device-plugin: {value: {}}")
    line, column = muster.place("value", within="value: {}")
    ran = muster(*command, "p5-odcr", "--json")
    assert ran.code == 2
    assert not ran.out
    assert f"stacks/Pulumi.p5-odcr.yaml:{line}:{column}: mandatory schema: unknown key 'value'" in ran.err
    assert "did you mean 'values'?" in ran.err


def test_values_without_a_form_are_no_crash(muster: Muster, charts: Path) -> None:
    """Whatever a user writes below values: a finding, or Helm's words."""
    for values in ("{tolerations: all}", "{affinity: [1]}", "{nodeSelector: 3}", "{affinity: {nodeAffinity: x}}"):
        text = muster.file().read_text()
        muster.edit("nvidia-device-plugin: {}", f"nvidia-device-plugin: {{values: {values}}}")
        ran = muster("addons", "render", "p5-odcr", "--charts", str(charts))
        assert (ran.code, "Traceback" in ran.out + ran.err) == (1, False), values
        muster.file().write_text(text)


def test_nothing_of_this_loads_pulumi(muster: Muster) -> None:
    """The commands answer without it."""
    program = (
        "import sys; from muster.cli.main import main; main(['addons', 'p5-odcr']); main(['mirror', 'p5-odcr']);"
        "main(['addons', 'render', 'p5-odcr']); assert not {'pulumi', 'helm_python'} & set(sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
