"""Buckets of a stack: whether they exist, and the objects in those with lifecycle scripts."""

from collections.abc import Iterable, Iterator, Sequence

from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic, TopicLine, TopicResult
from muster.blueprint.cluster import ClusterBlueprint
from muster.config.identifiers import is_placeholder
from muster.fleet.facts import BucketFacts, Facts
from muster.fleet.resources import Lifecycle
from muster.message_text import count_noun

_NO_BUCKET = frozenset({"NoSuchBucket"})


def _inquire(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    scripts = _with_scripts(wanted.blueprint)
    others = sorted(frozenset(_with_data(wanted.blueprint)) - scripts.keys())
    questions = [question for name in scripts for question in _about_scripts(name, scripts[name])]
    questions += [_about_data(name) for name in others]
    if not questions:
        return TopicResult()
    answers = iter((yield questions))
    facts = {name: _of_scripts([next(answers) for _ in folders]) for name, folders in scripts.items()}
    for name in others:
        answer = next(answers)
        facts[name] = BucketFacts(exists=not answer.absent) if answer.answered else BucketFacts()
    known = {name: each for name, each in facts.items() if each != BucketFacts()}
    return TopicResult(
        Facts(buckets=known), tuple(TopicLine(f"bucket {name}", _bucket_text(each)) for name, each in known.items())
    )


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


def _about_scripts(name: str, folders: Sequence[str]) -> Iterator[Query]:
    """The queries for buckets with scripts. They list a folder without its subfolders, because scripts are only in the
    folder, and a bucket of SageMaker may contain many other objects."""
    for folder in folders:
        below = {"Prefix": f"{folder}/" if folder else "", "Delimiter": "/"}
        yield Query("s3", "ListObjectsV2", f"scripts in {name}/{folder}", {"Bucket": name, **below}, _NO_BUCKET)


def _of_scripts(listed: Sequence[Answer]) -> BucketFacts:
    if any(each.absent for each in listed):
        return BucketFacts(exists=False)
    files = [each.get("Key") for answer in listed if answer.result for each in answer.result.get("Contents", ())]
    return BucketFacts(
        exists=True if any(each.answered for each in listed) else None,
        # A script that is missing in an incomplete list would count as a missing file.
        files=tuple(sorted(map(str, files))) if all(each.answered for each in listed) and None not in files else None,
    )


def _bucket_text(known: BucketFacts) -> str:
    if known.exists is False:
        return "does not exist"
    return "exists" if known.files is None else f"{count_noun(len(known.files), 'file')} in the folders of scripts"


BUCKETS = Topic(
    "buckets",
    "Buckets of the stack: whether they exist, and the content of those with lifecycle scripts.",
    _inquire,
    frozenset({"buckets"}),
    dict.fromkeys(("s3:GetBucketLocation", "s3:ListBucket"), "*"),
)
