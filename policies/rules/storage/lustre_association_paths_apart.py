"""Places that links to S3 share."""

from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import agree, some


@rule(
    "lustre-association-paths-apart",
    title="No data repository association lies within another, in the file system or in S3",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx refuses a path inside a linked one, the root beside any other, and the same bucket or prefix twice.",
    source="FSx API, CreateDataRepositoryAssociation; FSx Lustre guide, Linking your file system to S3",
    remedy="Give each link a directory and a prefix of its own.",
    facts=("rules.md#53",),
)
def lustre_association_paths_apart(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.associations is UNKNOWN or len(system.associations) <= 1:
        return  # lustre-associations-allowed says what is not known
    paths = [each.path for each in system.associations if each.path is not UNKNOWN]
    places = Counter(each.s3.rstrip("/") for each in system.associations if each.s3 is not UNKNOWN)
    inside = {
        f"{path} twice" if path == other else f"{path} in {other}"
        for index, path in enumerate(paths)
        for number, other in enumerate(paths)
        if index != number and (path == other or path.startswith(f"{other.rstrip('/')}/"))
    }
    if inside:
        yield rule.finding(system.place, some(inside), "link directories that are beside each other", at="data")
    twice = [place for place, count in places.items() if count > 1]
    if twice:
        got = f"{some(twice)} {agree(twice, 'is', 'are')} linked twice"
        remedy = f"keep one of {agree(twice, 'its links', 'the links of each')}"
        yield rule.finding(system.place, got, remedy, at="data")
    if any(UNKNOWN in (each.path, each.s3) for each in system.associations):
        yield rule.unjudged(system.place, "the paths of every association, and its places in S3")
