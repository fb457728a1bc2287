"""Files of one run that belong together: all are read before one is judged."""

from datetime import date
from pathlib import Path

import pytest

from muster.cli.findings import StackReport
from muster.cli.rule_selection import RuleSelection
from muster.cli.source_files import judge_sources, open_sources
from muster.finding import NOT_MODELLED, SCHEMA, WrongInput
from muster.policies.engine.configuration import Configuration
from tests.sources.judged import SOUND
from tests.stack_files import AS_OF

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: p5}
spec:
  template:
    spec:
      requirements:
        - {key: node.kubernetes.io/instance-type, operator: In, values: [p5.48xlarge]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [reserved]}
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: p5-training}
      expireAfter: Never
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
"""
CLASS = """apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: p5-training}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260101}]
  subnetSelectorTerms: [{id: subnet-0123456789abcdef0}]
  securityGroupSelectorTerms: [{id: sg-0123456789abcdef0}]
  networkInterfaces:
    - {networkCardIndex: 0, deviceIndex: 0, interfaceType: interface}
    - {networkCardIndex: 40, deviceIndex: 0, interfaceType: efa-only}
"""
RESERVED, CARDS, FEW = "node-pool-reserved-capacity", "interfaces-fit-cards", "efa-used-fully"


def judged(folder: Path, **texts: str) -> list[StackReport]:
    """The reports of a folder with these files; `__` in a name separates folders."""
    for name, text in texts.items():
        file = folder / f"{name.replace('__', '/')}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return judge_sources(open_sources([folder]), RuleSelection(Configuration()), date.fromisoformat(AS_OF))


def found(reports: list[StackReport]) -> dict[str, set[str]]:
    """File -> its rules with findings."""
    return {Path(each.file).stem: {one.rule for one in each.findings} for each in reports}


def missing(reports: list[StackReport]) -> set[str]:
    """What no file has."""
    gaps = (each for report in reports for each in report.not_evaluated if each.rule == NOT_MODELLED)
    return {each.missing for each in gaps if "file" in each.missing}


@pytest.mark.parametrize("together", [True, False])
def test_what_belongs_together_is_judged_in_several_files_as_in_one(tmp_path: Path, together: bool) -> None:
    files = {"all": f"{POOL}---\n{CLASS}"} if together else {"pool": POOL, "class": CLASS}
    reports = judged(tmp_path, **files)
    assert set().union(*found(reports).values()) == {RESERVED, CARDS, FEW}
    assert missing(reports) == set()
    places = {(Path(each.where.file).stem, each.where.line) for report in reports for each in report.findings}
    assert places == ({("all", 4), ("all", 23)} if together else {("pool", 4), ("class", 9)})


def test_the_nearest_of_several_objects_with_one_name_is_meant(tmp_path: Path) -> None:
    sound = CLASS.replace("40", "1")
    reports = judged(tmp_path, base__nodes=f"{POOL}---\n{sound}", prod__pool=POOL, prod__class=CLASS)
    assert found(reports) == {"nodes": {RESERVED, FEW}, "pool": {RESERVED}, "class": {CARDS, FEW}}


def test_objects_of_one_name_that_differ_are_none_of_them(tmp_path: Path) -> None:
    reports = judged(tmp_path, a__class=CLASS, b__class=CLASS.replace("40", "1"), c__pool=POOL)
    assert missing(reports) == {"EC2NodeClass p5-training, which several files have"}
    assert missing(judged(tmp_path, b__class=CLASS)) == set()


def test_a_name_that_is_nearly_one_of_a_file_is_advice(tmp_path: Path) -> None:
    reports = judged(tmp_path, pool=POOL.replace("p5-training", "p5-trianing"), **{"class": CLASS})
    assert found(reports) == {"pool": {SCHEMA}, "class": set()}
    assert missing(reports) == {"EC2NodeClass p5-trianing, which is in no file"}
    (report,) = (each for each in reports if each.findings)
    assert (report.findings[0].where.line, report.exit()) == (10, 0)


@pytest.mark.parametrize("name", ["p6-training", "p5-serving", "default"])
def test_the_name_of_another_thing_is_only_missing(tmp_path: Path, name: str) -> None:
    reports = judged(tmp_path, pool=POOL.replace("p5-training", name), **{"class": CLASS})
    assert found(reports) == {"pool": set(), "class": set()}
    assert missing(reports) == {f"EC2NodeClass {name}, which is in no file"}


def test_a_file_is_judged_once_under_whatever_name(tmp_path: Path) -> None:
    judged(tmp_path, pool=POOL)
    (tmp_path / "again.yaml").symlink_to(tmp_path / "pool.yaml")
    assert len(open_sources([tmp_path, tmp_path / "pool.yaml"])) == 1


def test_a_patch_of_a_kustomization_is_no_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patch = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: p5}\nspec: {limits: {nodes: 2}}\n"
    kustomization = "resources: [../base]\npatches: [{path: pool.yaml}]\n"
    reports = judged(tmp_path, base__pool=POOL, dev__pool=patch, dev__kustomization=kustomization)
    assert [Path(each.file).parent.name for each in reports] == ["base"]
    assert "kubectl kustomize" in capsys.readouterr().err
    with pytest.raises(WrongInput, match="is a patch of"):
        open_sources([tmp_path / "dev" / "pool.yaml"])


def test_files_that_do_not_belong_together_are_judged_each_for_itself(tmp_path: Path) -> None:
    texts = {name.partition(".")[0]: file.read_text(encoding="utf-8") for name, file in SOUND.items() if "yaml" in name}
    together = found(judged(tmp_path / "all", **texts))
    assert together == {name: found(judged(tmp_path / name, **{name: text}))[name] for name, text in texts.items()}


def test_a_class_of_auto_mode_is_read_in_a_file_of_its_own(tmp_path: Path) -> None:
    pool = POOL.replace("karpenter.k8s.aws, kind: EC2NodeClass", "eks.amazonaws.com, kind: NodeClass")
    listed = CLASS.partition("  networkInterfaces:\n")[2].replace("    -", "      -")
    auto = f"""apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {{name: p5-training}}
spec:
  role: nodes
  subnetSelectorTerms: [{{id: subnet-0123456789abcdef0}}]
  securityGroupSelectorTerms: [{{id: sg-0123456789abcdef0}}]
  advancedNetworking:
    networkInterfaces:
{listed}"""
    reports = judged(tmp_path, pool=pool, **{"class": auto})
    assert found(reports) == {"pool": {RESERVED}, "class": {CARDS, FEW}}


def test_names_of_queues_priorities_and_runtimes_are_looked_up_among_the_files(tmp_path: Path) -> None:
    kueue, trainer = "apiVersion: kueue.x-k8s.io/v1beta1", "apiVersion: trainer.kubeflow.org/v1alpha1"
    flavors = "resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: p5-resreved}]}]"
    documents = [
        (kueue, "ResourceFlavor", "name: p5-reserved", "spec: {}"),
        (kueue, "ClusterQueue", "name: training", f"spec: {{{flavors}}}"),
        (kueue, "LocalQueue", "name: research", "spec: {clusterQueue: trainng}"),
        ("apiVersion: scheduling.k8s.io/v1", "PriorityClass", "name: high", "value: 1"),
        (trainer, "ClusterTrainingRuntime", "name: two-nodes", "spec: {template: {spec: {replicatedJobs: []}}}"),
        (
            trainer,
            "TrainJob",
            "name: a, labels: {kueue.x-k8s.io/queue-name: reserach}",
            "spec: {runtimeRef: {name: tow-nodes}}",
        ),
        ("apiVersion: v1", "Pod", "name: a", "spec: {priorityClassName: hihg, containers: []}"),
    ]
    texts = {
        str(index): f"{api}\nkind: {kind}\nmetadata: {{{meta}}}\n{spec}\n"
        for index, (api, kind, meta, spec) in enumerate(documents)
    }
    found = {
        one.got.partition("'")[2]
        for each in judged(tmp_path, **texts)
        for one in each.findings
        if one.got.startswith("no file has")
    }
    assert found == {f"{wrong}'; did you mean '{right}'?" for wrong, right in MISSPELT.items()}


MISSPELT = {
    "p5-resreved": "p5-reserved",
    "trainng": "training",
    "reserach": "research",
    "tow-nodes": "two-nodes",
    "hihg": "high",
}


def test_launch_templates_are_found_by_name_among_the_files(tmp_path: Path) -> None:
    head = 'AWSTemplateFormatVersion: "2010-09-09"\nResources:\n  A:\n    Type: AWS::'
    card = "[{NetworkCardIndex: 40, DeviceIndex: 0, InterfaceType: efa-only}]"
    data = f"{{LaunchTemplateName: p5-workers, LaunchTemplateData: {{NetworkInterfaces: {card}}}}}"
    template = f"{head}EC2::LaunchTemplate\n    Properties: {data}\n"
    group = f"{head}EKS::Nodegroup\n    Properties: {{InstanceTypes: [p5.48xlarge], LaunchTemplate: {{Name: NAME}}}}\n"
    texts = {"near": group.replace("NAME", "p5-wokers"), "other": group.replace("NAME", "shared")}
    alone = found(judged(tmp_path / "alone", template=template, **texts))
    assert CARDS not in alone["template"]
    assert (SCHEMA in alone["near"], SCHEMA in alone["other"]) == (True, False)
    assert (
        CARDS
        in found(judged(tmp_path / "all", template=template, group=group.replace("NAME", "p5-workers")))["template"]
    )
