"""A project's own program, run offline: the worked examples of the guide, what is judged, and mistakes."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from pulumi.runtime import resource

from muster.finding import NOT_MODELLED, Level
from muster.offline.own_program import ProgramFailed
from muster.offline.plan import Plan, plan_stack
from muster.stack.own_program import own_program
from muster.stack.project import open_stack
from tests.conftest import REAL_STACK_TRACE
from tests.stack_files import AS_OF, ROOT, filled_in, text_of
from tests.way_out import CHANGES

Planned = Callable[..., Plan]


@pytest.fixture
def planned(tmp_path: Path) -> Planned:
    """The plan of p5-odcr in a project with a program, and modules beside it."""

    def plan(program: str, **beside: str) -> Plan:
        (tmp_path / "stacks").mkdir(exist_ok=True)
        (tmp_path / "stacks/Pulumi.p5-odcr.yaml").write_text(filled_in(text_of("p5-odcr")))
        (tmp_path / "Pulumi.yaml").write_text((ROOT / "Pulumi.yaml").read_text())
        for name, text in {"__main__": program, **beside}.items():
            (tmp_path / f"{name}.py").write_text(text)
        return plan_stack(open_stack(tmp_path, "p5-odcr"), date.fromisoformat(AS_OF))

    return plan


def test_the_program_of_a_project_without_own_resources_is_none() -> None:
    assert own_program(open_stack(ROOT, "p5-odcr")) is None


@pytest.mark.parametrize("program", CHANGES, ids=["extra policy", "own add-on", "launch template"])
def test_a_worked_example(program: str, planned: Planned) -> None:
    plan = planned(program)
    assert {(each.operation, each.type, each.name, each.inputs) for each in plan.own} == CHANGES[program]
    assert plan.broken_laws == ()
    assert [each for each in plan.judgement.findings if each.level is Level.MANDATORY] == []


def test_modules_of_the_project_run_in_each_plan(planned: Planned, capsys: pytest.CaptureFixture[str]) -> None:
    """A module that registers when it is imported registers each time. What it prints is no part of the plan."""
    program = "from muster.program import run\nrun()\nimport more\nprint('hi')\n"
    for _ in range(2):
        plan = planned(program, more="import pulumi_aws as aws\naws.iam.Policy('more', policy='{}')\n")
        assert {each.name for each in plan.own} == {"more"}
    assert capsys.readouterr().out == ""


JUDGED = """
import pulumi
import pulumi_aws as aws
from muster.program import run

def unsafe(args):
    if args.name == "workers" and "metadataOptions" in args.props:
        return pulumi.ResourceTransformResult({**args.props, "metadataOptions": {"httpTokens": "optional"}}, args.opts)

pulumi.runtime.register_resource_transform(unsafe)
run()
aws.ec2.LaunchTemplate(
    "gpu",
    instance_type="p5.48xlarge",
    metadata_options={"http_tokens": "required", "http_put_response_hop_limit": 1},
    network_interfaces=[{"network_card_index": 0, "device_index": 0, "interface_type": "efa-only"}],
)
aws.ec2.Instance("shell", instance_type="c5.large", ami="ami-0123456789abcdef0")
"""


def test_what_it_adds_and_changes_is_judged(planned: Planned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An own resource at its line of the program, a changed one of Muster's at its place in the description."""
    monkeypatch.setattr(resource, "_get_stack_trace", REAL_STACK_TRACE)
    plan = planned(JUDGED)
    (own,) = (urn for urn in plan.sources if urn.endswith("LaunchTemplate::gpu"))
    assert plan.sources[own] == (tmp_path / "__main__.py", 12)
    found = {(each.rule, each.where) for each in plan.judgement.findings if each.level is Level.MANDATORY}
    assert found == {("primary-interface-carries-ip", own)}
    assert ("imds-out-of-pods", "groups.workers") in {(each.rule, each.where) for each in plan.judgement.findings}
    gaps = {each.resource for each in plan.judgement.not_evaluated if each.rule == NOT_MODELLED}
    assert gaps == {"aws:ec2/instance:Instance"}
    assert plan.broken_laws == ()


def test_what_only_aws_knows_is_not_evaluated(planned: Planned) -> None:
    plan = planned(
        "import pulumi_aws as aws\nfrom muster.program import run\nrun()\naws.ec2.get_ami(owners=['self'])\n"
    )
    assert plan.own == ()
    assert {each.resource for each in plan.judgement.not_evaluated} >= {"__main__.py"}


RUN = "from muster.program import run\n"


@pytest.mark.parametrize(
    "program",
    [
        "print('no run')\n",
        "raise SystemExit(1)\n",
        f"{RUN}run()\n1 / 0\n",
        f"{RUN}run(\n",
        f"{RUN}run().resource('aws:iam/role:Role', 'wrokers')\n",
        f"{RUN}run().resource('aws:iam/rol:Role', 'workers')\n",
        f"{RUN}run().outputs['clutser']\n",
        f"{RUN}run()\nrun()\n",
        f"{RUN}import missing_module\nrun()\n",
        f"{RUN}import pulumi\nrun()\npulumi.Config().require('nothing')\n",
        f"{RUN}import pulumi\npulumi.runtime.register_resource_transform(lambda args: args.nothing)\nrun()\n",
    ],
)
def test_a_mistake_in_it_is_told(program: str, planned: Planned) -> None:
    with pytest.raises(ProgramFailed, match=r"^__main__\.py"):
        planned(program)
