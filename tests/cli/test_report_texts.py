"""What each report of a small case says, word for word."""

import json
from dataclasses import replace

from muster.cli.findings import Report, StackReport, Where
from muster.cli.writers import junit, markdown, sarif, text
from muster.terminal import Style
from tests.cli.reports import FILE, FORM, SMALL, URN, ZONE


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
