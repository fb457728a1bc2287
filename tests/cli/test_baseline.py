"""What a baseline takes for known; how it is asked for is in `transcripts/asked.txt`."""

from dataclasses import replace
from pathlib import Path

from muster.cli import baseline
from muster.cli.findings import ReportedFinding, StackReport, Where
from muster.finding import Level


def test_more_findings_at_a_place_than_were_known_are_all_told(tmp_path: Path) -> None:
    """Which of them is the new one nobody knows."""
    file = tmp_path / "known.json"
    rule = "reservation-covers-nodes"
    one = ReportedFinding(
        Where("f", 1, 1, "groups.workers"), rule, Level.MANDATORY, "groups.workers", "one", "mend it", ""
    )
    report = StackReport("p5-odcr", judged={rule: 1}, findings=(one,))
    more = replace(report, findings=(one, replace(one, got="another")))
    baseline.write(file, [more])
    known = baseline.load(file)
    (all_known,), (fewer,) = known.of([more]), known.of([report])
    assert (all_known.findings, all_known.gone) == ((), ())
    assert (fewer.findings, len(fewer.gone)) == ((), 1)
    both = known.of([report, more])
    assert [(each.findings, each.gone) for each in both] == [((), ()), ((), ())], "two plans of one stack"
    baseline.write(file, [report])
    (told,) = baseline.load(file).of([more])
    assert len(told.findings) == 2
