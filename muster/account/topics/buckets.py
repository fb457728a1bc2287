"""Buckets of a stack: whether they exist, and the objects in those with lifecycle scripts."""

from collections.abc import Iterable, Iterator, Sequence

from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic
from muster.blueprint.cluster import ClusterBlueprint
from muster.config.identifiers import is_placeholder
from muster.fleet.facts import BucketFacts, Facts
from muster.fleet.resources import Lifecycle

_NO_BUCKET = frozenset({"NoSuchBucket"})


def _inquire(wanted: PreflightRequest) -> Inquiry[Facts]:
    scripts = _with_scripts(wanted.blueprint)
    others = sorted(frozenset(_with_data(wanted.blueprint)) - scripts.keys())
    about = [(name, _about_scripts(name, folder)) for name, folders in scripts.items() for folder in folders]
    about += [(name, _about_data(name)) for name in others]
    if not about:
        return Facts()
    answers: dict[str, list[Answer]] = {}
    for (name, _), answer in zip(about, (yield [query for _, query in about]), strict=True):
        answers.setdefault(name, []).append(answer)
    facts = {name: _bucket(several, listed=name in scripts) for name, several in answers.items()}
    return Facts(buckets={name: each for name, each in facts.items() if each != BucketFacts()})


def _with_scripts(blueprint: ClusterBlueprint) -> dict[str, list[str]]:
    """Bucket -> its folders with the scripts of HyperPod's instances."""
    found: dict[str, set[str]] = {}
    for group in blueprint.hyperpod_groups:
        lifecycle = group.lifecycle
        source = lifecycle.source if isinstance(lifecycle, Lifecycle) else None
        if isinstance(source, str) and not is_placeholder(source):
            name, folder = _parts(source)
            found.setdefault(name, set()).add(folder.strip("/"))
    return {name: sorted(found[name]) for name in sorted(found)}


def _with_data(blueprint: ClusterBlueprint) -> Iterator[str]:
    """The buckets of file systems, of the nodes' S3 access, and of their scripts."""
    for storage in blueprint.storage:
        yield from _filled_in(each.s3 for each in (storage.created.associations if storage.created else ()))
    yield from _filled_in(blueprint.s3_addresses)


def _filled_in(addresses: Iterable[str]) -> Iterator[str]:
    return (_parts(each)[0] for each in addresses if not is_placeholder(each))


def _parts(address: str) -> tuple[str, str]:
    name, _, folder = address.removeprefix("s3://").partition("/")
    return name, folder


def _about_data(name: str) -> Query:
    return Query("s3", "GetBucketLocation", f"bucket {name}", {"Bucket": name}, _NO_BUCKET)


def _about_scripts(name: str, folder: str) -> Query:
    """The query for a folder with scripts, without its subfolders, because scripts are only in the folder, and a bucket
    of SageMaker may contain many other objects."""
    below = {"Prefix": f"{folder}/" if folder else "", "Delimiter": "/"}
    about, needs = f"scripts in {name}/{folder}", ("Contents?[].Key",)
    return Query("s3", "ListObjectsV2", about, {"Bucket": name, **below}, _NO_BUCKET, needs=needs)


def _bucket(answers: Sequence[Answer], *, listed: bool) -> BucketFacts:
    """The facts about a bucket. A script that is missing in an incomplete list would count as a missing file."""
    if any(each.absent for each in answers):
        return BucketFacts(exists=False)
    answered = [each.result for each in answers if each.result is not None]
    files = sorted(each["Key"] for result in answered for each in result.get("Contents", ()))
    whole = listed and len(answered) == len(answers)
    return BucketFacts(exists=True if answered else None, files=tuple(files) if whole else None)


BUCKETS = Topic(
    "buckets",
    "Buckets of the stack: whether they exist, and the content of those with lifecycle scripts.",
    _inquire,
    frozenset({"buckets"}),
)
