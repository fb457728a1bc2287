"""What Muster reads of Karpenter's NodePools and EC2NodeClasses, modelled on examples/v1 of karpenter-provider-aws."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.cli.findings import StackReport
from muster.cli.rule_selection import select_rules
from muster.cli.source_files import judge_source
from muster.finding import NOT_MODELLED
from muster.sources.karpenter.reader import read
from muster.sources.recognition import recognize
from muster.sources.source import InputFile, InvalidFile
from muster.yaml_text import load_all
from tests.stack_files import AS_OF

TYPE = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["p5.48xlarge"]}
TERMS = {
    "role": "KarpenterNodeRole-${CLUSTER_NAME}",
    "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "${CLUSTER_NAME}"}}],
    "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "${CLUSTER_NAME}"}}],
    "amiSelectorTerms": [{"alias": "al2023@latest"}],
}
CARD_0 = {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}


def pool(*requirements: dict[str, Any]) -> dict[str, Any]:
    """A NodePool of the class `default`."""
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    nodes = {"requirements": list(requirements), "nodeClassRef": reference, "expireAfter": "Never"}
    spec = {"template": {"spec": nodes}, "disruption": {"consolidationPolicy": "WhenEmpty"}}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "default"}, "spec": spec}


def node_class(**settings_: Any) -> dict[str, Any]:
    """An EC2NodeClass."""
    head = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}}
    return {**head, "spec": {**TERMS, **settings_}}


def opened(*documents: Any) -> InputFile:
    """A file with these objects."""
    text = yaml.safe_dump_all(documents, sort_keys=False, allow_unicode=True)
    return InputFile(Path("nodes.yaml"), text, tuple(load_all(text)), is_json=False)


def report(*documents: Any) -> StackReport:
    """The report of `muster check`."""
    file = opened(*documents)
    how = select_rules(None, None, None, None, None)
    made = judge_source(file, recognize(file), how, date.fromisoformat(AS_OF))
    assert made.bugs == ()
    return made


FILES: dict[str, tuple[dict[str, Any], set[str]]] = {
    "Karpenter's defaults": ({}, set()),
    "IMDSv1": ({"metadataOptions": {"httpTokens": "optional"}}, {"imds-out-of-pods"}),
    "a hop limit, with which pods reach the service": (
        {"metadataOptions": {"httpPutResponseHopLimit": 2}},
        {"imds-out-of-pods"},
    ),
    "a card that the type does not have": (
        {"networkInterfaces": [CARD_0, {"networkCardIndex": 40, "deviceIndex": 1, "interfaceType": "efa-only"}]},
        {"interfaces-fit-cards", "efa-used-fully"},
    ),
}


@pytest.mark.parametrize(("change", "rules"), FILES.values(), ids=FILES)
def test_the_findings_of_a_file_are_exactly_these(change: dict[str, Any], rules: set[str]) -> None:
    made = report(pool(TYPE), node_class(**change))
    assert {each.rule for each in made.findings} == rules
    assert all(each.where.line > 1 for each in made.findings)


def test_a_finding_names_the_class_and_has_the_place_of_its_key() -> None:
    metadata = {"httpPutResponseHopLimit": 2}
    file = opened(pool(TYPE), node_class(metadataOptions=metadata))
    (found,) = report(pool(TYPE), node_class(metadataOptions=metadata)).findings
    assert found.where.line == file.text.splitlines().index("  metadataOptions:") + 2
    assert read(file).label(found.resource) == "EC2NodeClass default"


def test_a_pool_whose_nodes_expire_gets_advice() -> None:
    """As Karpenter's examples have it."""
    expires = pool(TYPE)
    del expires["spec"]["template"]["spec"]["expireAfter"]
    (found,) = report(expires, node_class()).findings
    assert found.rule == "node-pool-keeps-training-nodes"
    assert found.where.line == opened(expires).text.splitlines().index("spec:") + 1


def test_what_karpenter_decides_is_not_evaluated() -> None:
    made = report(pool(TYPE), node_class())
    missing = {each.resource: each.missing for each in made.not_evaluated if each.rule == NOT_MODELLED}
    assert set(missing) == {
        "EC2NodeClass default",
        "NodePool default",
    }
    assert "chooses by the pods that wait" in missing["NodePool default"]


def test_a_pool_without_its_class_is_not_evaluated() -> None:
    gaps = read(opened(pool(TYPE))).gaps
    assert "the node class of the pool, which is not in this file" in {each.missing for each in gaps}


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a misspelled kind": ({**pool(TYPE), "kind": "NodePools"}, "did you mean 'NodePool'?"),
    "a list for a block": ({**node_class(), "spec": []}, "expects a block of keys"),
    "a text for a list": (node_class(networkInterfaces="a"), "expects a list"),
}


@pytest.mark.parametrize(("document", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_form_is_an_error_with_its_place(document: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidFile) as raised:
        read(opened({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}, document))
    assert said in raised.value.got
    assert raised.value.position.line > 5


def test_other_objects_of_the_file_are_judged() -> None:
    pod = {"name": "a", "image": "a", "resources": {"limits": {"hugepages-2Mi": "256", "memory": "1Gi"}}}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "a"},
        "spec": {"template": {"spec": {"containers": [pod]}}},
    }
    found = {each.rule for each in report(pool(TYPE), node_class(), job).findings}
    assert "huge-pages-within-node" in found
