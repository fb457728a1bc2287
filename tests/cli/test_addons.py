"""`muster addons`: the add-ons in their order."""

import re
import subprocess
import sys

import jsonschema
import pytest

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


def test_completion_offers_stacks(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no name with a control code, or more than one line."""
    for name in ("x\x1b[2J", "x\n::error::y"):
        muster.file(name).write_text("")
    monkeypatch.setenv("_MUSTER_COMPLETE", "complete_bash")
    for words in ("muster addons ", "muster mirror "):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", "2")
        assert set(muster().out.split()) == {"p5-odcr"}


def test_a_description_without_addons_has_those_of_eks(muster: Muster) -> None:
    text = muster.file().read_text()
    muster.file().write_text(text[: text.index("    addons:\n")])
    assert [each["name"] for each in muster("addons", "p5-odcr", "--json").json] == NAMES[:4]


def test_nothing_of_this_loads_pulumi(muster: Muster) -> None:
    """The commands answer without it."""
    program = (
        "import sys; from muster.cli.main import main; main(['addons', 'p5-odcr']); main(['mirror', 'p5-odcr']);"
        "assert 'pulumi' not in sys.modules"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
