"""What each report of a small case says, word for word."""

import json
import re
from dataclasses import replace

from muster.cli.findings import Report, StackReport, Where
from muster.cli.writers import github, junit, markdown, sarif, text
from muster.policies.engine.catalogue import rule_of
from muster.terminal import Style
from tests.cli.reports import COUNT, EFA, FILE, FORM, SMALL, URN, ZONE

JUNIT = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="muster" tests="5" failures="2" errors="0">
  <testsuite name="p5-odcr" tests="4" failures="1" errors="0" skipped="2" file="{FILE}">
    <testcase name="reservation-zone-matches-subnet: groups.workers.capacity.reservation.zone" classname="p5-odcr">
      <failure type="mandatory" message="us-west-2b">{FILE}:40:20: us-west-2b
fix: write us-west-2a
at groups.workers.capacity.reservation.zone
source: https://docs.aws.amazon.com/ec2/</failure>
    </testcase>
    <testcase name="reservation-covers-nodes: groups.workers" classname="p5-odcr">
      <skipped type="suppressed" message="suppressed until 2026-12-01: the second comes next week">{FILE}:41:9: 2 nodes</skipped>
    </testcase>
    <testcase name="subnet-holds-nodes: groups.workers" classname="p5-odcr">
      <skipped type="not-evaluated" message="not evaluated; missing: the free addresses of subnet-a"></skipped>
    </testcase>
    <testcase name="efa-used-fully" classname="p5-odcr"/>
  </testsuite>
  <testsuite name="dev" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="efa-used-fully: {URN}" classname="dev">
      <failure type="advisory" message="2 of 32">{URN}: 2 of 32
fix: add the others
source: https://docs.aws.amazon.com/ec2/</failure>
    </testcase>
  </testsuite>
</testsuites>
"""  # noqa: E501  (the document's own lines)

GITHUB = f"""\
::error file={FILE},line=40,col=20,title=p5-odcr%3A mandatory reservation-zone-matches-subnet::us-west-2b%0A\
fix: write us-west-2a%0Aat groups.workers.capacity.reservation.zone%0Asource: https://docs.aws.amazon.com/ec2/
::warning title=dev%3A advisory efa-used-fully::2 of 32%0Afix: add the others%0Aat {URN}%0Asource: https://docs.aws.amazon.com/ec2/
::notice file={FILE},line=41,col=9,title=p5-odcr%3A suppressed reservation-covers-nodes::until 2026-12-01: \
the second comes next week%0Aat groups.workers%0A2 nodes
::notice file={FILE},title=p5-odcr%3A not evaluated subnet-holds-nodes::missing: the free addresses of subnet-a%0A\
at groups.workers
"""

MARKDOWN = """\
### Muster: 2 findings (1 mandatory, 1 advisory) in 2 stacks

1 not evaluated, 1 suppressed; 1 placeholder to set before `pulumi up`

| stack | mandatory | advisory | not evaluated | suppressed |
|---|--:|--:|--:|--:|
| p5-odcr | 1 | 0 | 1 | 1 |
| dev | 0 | 1 | 0 | 0 |

<details open><summary>p5-odcr: 1 mandatory</summary>

- `reservation-zone-matches-subnet` at `{file}:40:20` (`groups.workers.capacity.reservation.zone`): us-west-2b
  <br>→ write us-west-2a
  <br><sub><https://docs.aws.amazon.com/ec2/></sub>

</details>

<details><summary>p5-odcr: 1 not evaluated</summary>

- `subnet-holds-nodes` at `groups.workers`, missing: the free addresses of subnet-a

</details>

<details><summary>p5-odcr: 1 suppressed</summary>

- `reservation-covers-nodes` at `{file}:41:9`: 2 nodes
  <br>suppressed until 2026-12-01: the second comes next week

</details>

<details><summary>dev: 1 advisory</summary>

- `efa-used-fully` at `{urn}`: 2 of 32
  <br>→ add the others
  <br><sub><https://docs.aws.amazon.com/ec2/></sub>

</details>
"""


def test_junit() -> None:
    """A suite a stack; a failure, a suppressed finding, an open question, and a rule that found nothing."""
    assert junit.write(SMALL) == JUNIT


def test_annotations() -> None:
    """What stops first; each at its line, or at the judged file."""
    assert github.write(SMALL) == GITHUB


def test_markdown() -> None:
    """Counts first; what is mandatory is open, all else folded; rules lead to their pages, sources to the documents."""
    told = {"file": FILE, "urn": URN}
    linked = re.sub(r"- (`([a-z-]+)`) at", lambda it: f"- [{it[1]}]({rule_of(it[2]).page}) at", MARKDOWN.format(**told))
    assert markdown.write(SMALL) == linked


def test_faults_of_form() -> None:
    """They are errors, not failures: no rule was asked; and the run did not succeed."""
    assert '<testsuite name="bad" tests="1" failures="0" errors="1" skipped="0" file=' in junit.write(FORM)
    assert markdown.write(FORM).startswith(
        "### Muster: 1 finding (1 mandatory, 0 advisory) in `bad`\n\n"
        "0 not evaluated, 0 suppressed, 1 stack with schema errors\n"
    )
    (run,) = json.loads(sarif.write(FORM))["runs"]
    (invocation,) = run["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (2, False)
    assert run["results"][0]["ruleId"] == "schema"


def test_sarif_places() -> None:
    """A finding stands at its line, with what it is called; a resource is a logical place alone where no file is."""
    zone, count, unjudged, efa = json.loads(sarif.write(SMALL))["runs"][0]["results"]
    file = {"uri": FILE, "uriBaseId": "%SRCROOT%"}
    assert zone["locations"] == [
        {
            "physicalLocation": {"artifactLocation": file, "region": {"startLine": 40, "startColumn": 20}},
            "logicalLocations": [
                {"fullyQualifiedName": ZONE.where.path, "kind": "member"},
                {"fullyQualifiedName": ZONE.resource, "kind": "member"},
            ],
        }
    ]
    assert zone["message"] == {"text": "us-west-2b\nfix: write us-west-2a\n(https://docs.aws.amazon.com/ec2/)"}
    assert count["suppressions"] == [
        {
            "kind": "external",
            "status": "accepted",
            "justification": "the second comes next week",
            "properties": {"until": "2026-12-01"},
        }
    ]
    assert (unjudged["kind"], unjudged["level"]) == ("open", "none")
    assert unjudged["locations"][0]["physicalLocation"] == {"artifactLocation": file}
    assert efa["locations"] == [{"logicalLocations": [{"name": "gpu", "fullyQualifiedName": URN, "kind": "resource"}]}]


def test_sarif_carries_the_sheet() -> None:
    """All that `muster explain` prints, for readers that show help beside a finding."""
    rules = {each["id"]: each for each in json.loads(sarif.write(SMALL))["runs"][0]["tool"]["driver"]["rules"]}
    assert set(rules) == {ZONE.rule, EFA.rule, COUNT.rule, "subnet-holds-nodes"}
    told, rule = rules[ZONE.rule], rule_of(ZONE.rule)
    assert told["shortDescription"] == {"text": f"{rule.title}."}
    assert told["fullDescription"] == {"text": rule.why}
    assert told["defaultConfiguration"] == {"level": "error"}
    assert told["help"]["text"] == f"Why: {rule.why}\nRemedy: {rule.remedy}\nSource: {', '.join(rule.source)}"
    assert f"<{rule.source[0]}>" in told["help"]["markdown"]
    assert told["helpUri"] == rule.page
    assert told["properties"] == {
        "tags": ["capacity", "eks", "parallelcluster", "pcs"],
        "severity": "high",
        "problem.severity": "error",
        "facts": list(rule.facts),
    }


def test_a_file_elsewhere_goes_by_its_whole_address() -> None:
    """Only what is below the root is relative to it; spaces and the like are escaped, as in any address."""
    (stack, *_) = SMALL.stacks
    for file, artifact in (
        ("/else where/Pulumi.a.yaml", {"uri": "file:///else%20where/Pulumi.a.yaml"}),
        ("stacks/Pulumi.ä b.yaml", {"uri": "stacks/Pulumi.%C3%A4%20b.yaml", "uriBaseId": "%SRCROOT%"}),
    ):
        found = replace(ZONE, where=replace(ZONE.where, file=file))
        (run,) = json.loads(sarif.write(Report((replace(stack, findings=(found,)),))))["runs"]
        assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == artifact


def test_findings_without_a_place() -> None:
    """A finding about the whole description has no path: the file or the name of the stack is its place."""
    nowhere = replace(ZONE, where=Where("", 0, 0, ""), resource="")
    for stack, place in ((StackReport("dev", file=FILE), FILE), (StackReport("dev"), "dev")):
        first, *_ = text.stack_lines(replace(stack, findings=(nowhere,)), Style())
        assert first == f"{place}: mandatory {ZONE.rule}: us-west-2b"
    (first, *_) = text.findings([nowhere], Style())
    assert first == f"mandatory {ZONE.rule}: us-west-2b"
    assert '<failure type="mandatory" message="us-west-2b">us-west-2b\n' in junit.write(
        Report((StackReport("dev", findings=(nowhere,)),))
    )
