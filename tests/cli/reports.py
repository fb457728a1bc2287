"""Reports: a small one, whose texts are known, and random ones with every character that a format may trip on."""

from dataclasses import replace
from datetime import date

from hypothesis import strategies as st

from muster.cli.findings import PlaceholderValue, Report, ReportedFinding, StackReport, SuppressedFinding, Where
from muster.finding import Level, NotEvaluated

FILE = "stacks/Pulumi.p5-odcr.yaml"
URN = "urn:pulumi:dev::foreign::aws:ec2/launchTemplate:LaunchTemplate::gpu"

ZONE = ReportedFinding(
    Where(FILE, 40, 20, "groups.workers.capacity.reservation.zone"),
    "reservation-zone-matches-subnet",
    Level.MANDATORY,
    "groups.workers",
    "us-west-2b",
    "write us-west-2a",
    "https://docs.aws.amazon.com/ec2/",
)
EFA = ReportedFinding(
    Where("", 0, 0, URN),
    "efa-used-fully",
    Level.ADVISORY,
    URN,
    "2 of 32",
    "add the others",
    "https://docs.aws.amazon.com/ec2/",
)
COUNT = replace(ZONE, where=Where(FILE, 41, 9, "groups.workers"), rule="reservation-covers-nodes", got="2 nodes")
SILENCED = SuppressedFinding(COUNT, "the second comes next week", date(2026, 12, 1))
MISSING = NotEvaluated("subnet-holds-nodes", "groups.workers", "the free addresses of subnet-a")

SMALL = Report(
    (
        StackReport(
            "p5-odcr",
            judged={"efa-used-fully": 1, **dict.fromkeys((ZONE.rule, COUNT.rule, MISSING.rule), 2)},
            objects=5,
            findings=(ZONE,),
            not_evaluated=(MISSING,),
            suppressed=(SILENCED,),
            placeholders=(PlaceholderValue(Where(FILE, 3, 1, "network.existing.vpc"), "vpc-fill-me-in"),),
            file=FILE,
        ),
        StackReport("dev", judged={"efa-used-fully": 1}, objects=1, findings=(EFA,)),
    )
)

FORM = Report(
    (
        StackReport(
            "bad",
            findings=(
                ReportedFinding(
                    Where("stacks/Pulumi.bad.yaml", 2, 3, "kubernets"), "schema", Level.MANDATORY, "", "no", "x", ""
                ),
            ),
            readable=False,
            file="stacks/Pulumi.bad.yaml",
        ),
    )
)

HOSTILE = (
    *("a\nb", "\r\n", "\x00", "\x1b[31m", "\x85", "\u2028", "\ud800", "\ufffe", "é", "🦙"),
    *("100%", "%0A", "a::b", "::error::x", ",", "=", "{0}", "}}", "\\"),
    *("]]>", "<![CDATA[", "&amp;", "<script>", '"', "'", "-->", "</details>"),
    *("|", "`", "``x", "*b*", "_i_", "[a](b)", "@all", "#1", "~~", "$x$", "- "),
)

_words = st.lists(st.sampled_from((*HOSTILE, "abc", " ", "d e")), min_size=1, max_size=3).map("".join)
_names = st.sampled_from(("groups.workers", "access[0].policy", "a", "b-c"))
_rules = st.sampled_from((ZONE.rule, EFA.rule, COUNT.rule, "schema", "other-pack/rule"))
_files = st.one_of(st.just(""), st.just(FILE), _words.filter(lambda text: "\0" not in text and "\ud800" not in text))
_wheres = st.builds(
    lambda file, line, path: Where(file, line if file else 0, line if file else 0, path),
    _files,
    st.integers(1, 99),
    st.one_of(st.just(URN), _words, _names),
)
_sources = st.sampled_from(("", "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/a_page.html"))
_founds = st.builds(ReportedFinding, _wheres, _rules, st.sampled_from(Level), _names, _words, _words, _sources)
_silences = st.builds(SuppressedFinding, _founds, _words, st.just(date(2026, 12, 1)))
_missings = st.builds(NotEvaluated, _rules, st.sampled_from(("", "groups.workers", URN)), _words)


def _several(of: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(of, max_size=2).map(lambda several: tuple(dict.fromkeys(several)))


_stacks = st.builds(
    StackReport,
    _words,
    judged=st.dictionaries(_rules, st.just(1), max_size=2),
    findings=_several(_founds),
    not_evaluated=_several(_missings),
    suppressed=_several(_silences),
    readable=st.booleans(),
    file=_files,
)


def reports() -> st.SearchStrategy[Report]:
    """Reports as no command makes them: what is said is whatever is hard to write."""
    stacks = st.lists(_stacks, min_size=1, max_size=2, unique_by=lambda stack: stack.stack).map(tuple)
    return st.builds(Report, stacks, st.booleans(), st.lists(_words, max_size=1).map(tuple))
