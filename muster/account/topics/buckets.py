"""Buckets of a stack: whether they exist, and the objects in those with lifecycle scripts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from muster.account.caller_identity import GET_CALLER_IDENTITY, account_of
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic, TopicLine, TopicResult
from muster.blueprint.cluster import ClusterBlueprint
from muster.config.identifiers import is_placeholder
from muster.fleet.facts import BucketFacts, Facts
from muster.fleet.resources import Lifecycle
from muster.message_text import count_noun

_NO_BUCKET = frozenset({"NoSuchBucket"})
_NO_BLOCK = frozenset({"NoSuchPublicAccessBlockConfiguration"})
_BLOCKS = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")


def _inquire(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    scripts = _with_scripts(wanted.blueprint)
    others = sorted(frozenset(_with_data(wanted.blueprint)) - scripts.keys())
    questions = [question for name in scripts for question in _about_scripts(name, scripts[name])]
    questions += [_about_data(name) for name in others]
    if not questions:
        return TopicResult()
    # The account's public access block also counts, if a bucket with scripts does not block everything.
    received = yield [*questions, *([GET_CALLER_IDENTITY] if scripts else [])]
    answers = iter(received)
    facts: dict[str, BucketFacts] = {}
    blocks: dict[str, Answer] = {}
    for name, folders in scripts.items():
        listed, blocks[name] = [next(answers) for _ in folders], next(answers)
        facts[name] = _of_scripts(listed, blocks[name], next(answers))
    open_ = [name for name, known in facts.items() if known.private is False and known.exists]
    if open_:
        private = yield from _by_account(received[-1], {name: blocks[name] for name in open_})
        facts |= {name: facts[name].model_copy(update={"private": private[name]}) for name in open_}
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
    about, whose = f"bucket {name}", {"Bucket": name}
    for folder in folders:
        below = {"Prefix": f"{folder}/" if folder else "", "Delimiter": "/"}
        yield Query("s3", "ListObjectsV2", f"scripts in {name}/{folder}", {**whose, **below}, _NO_BUCKET)
    yield Query("s3", "GetPublicAccessBlock", f"public access of {about}", whose, _NO_BUCKET | _NO_BLOCK)
    yield Query("s3", "GetBucketVersioning", f"versioning of {about}", whose, _NO_BUCKET)


def _by_account(caller: Answer, blocks: Mapping[str, Answer]) -> Inquiry[dict[str, bool | None]]:
    """Bucket -> whether it is private by its own block and its account's together: S3 applies the more restrictive of
    both (S3 user guide, Blocking public access). None if the account's block is unknown, for example for a bucket of
    another account."""
    account = account_of(caller)
    if account is None:
        return dict.fromkeys(blocks)
    whole, *owned = yield [
        Query("s3control", "GetPublicAccessBlock", "public access of the account", {"AccountId": account}, _NO_BLOCK),
        *(_owner(name, account) for name in blocks),
    ]
    ours = [name for name, each in zip(blocks, owned, strict=True) if each.result is not None]
    return {name: _blocked(blocks[name], whole) if whole.answered and name in ours else None for name in blocks}


def _owner(name: str, account: str) -> Query:
    """With `ExpectedBucketOwner` S3 answers only for a bucket of that account."""
    whose = {"Bucket": name, "ExpectedBucketOwner": account}
    return Query("s3", "GetBucketLocation", f"owner of bucket {name}", whose)


def _of_scripts(listed: Sequence[Answer], block: Answer, versioning: Answer) -> BucketFacts:
    if any(each.absent for each in listed) or versioning.absent:
        return BucketFacts(exists=False)
    files = [each.get("Key") for answer in listed if answer.result for each in answer.result.get("Contents", ())]
    answered = [each.answered for each in (*listed, block, versioning)]
    return BucketFacts(
        exists=True if any(answered) else None,
        # A script that is missing in an incomplete list would count as a missing file.
        files=tuple(sorted(map(str, files))) if all(each.answered for each in listed) and None not in files else None,
        private=_blocked(block) if block.answered else None,
        versioned=versioning.result.get("Status") == "Enabled" if versioning.result is not None else None,
    )


def _blocked(*blocks: Answer) -> bool:
    """Whether these blocks together have all four settings on; a missing block has none."""
    on: list[Mapping[str, Any]] = [(each.result or {}).get("PublicAccessBlockConfiguration", {}) for each in blocks]
    return all(any(each.get(setting) for each in on) for setting in _BLOCKS)


def _bucket_text(known: BucketFacts) -> str:
    if known.exists is False:
        return "does not exist"
    parts = ["exists" if known.files is None else f"{count_noun(len(known.files), 'file')} in the folders of scripts"]
    if known.private is not None:
        parts.append("blocks public access" if known.private else "does not block all public access")
    if known.versioned is not None:
        parts.append("versioning on" if known.versioned else "versioning off")
    return ", ".join(parts)


BUCKETS = Topic(
    "buckets",
    "Buckets of the stack: whether they exist, and the content of those with lifecycle scripts.",
    _inquire,
    frozenset({"buckets"}),
    dict.fromkeys(
        (
            *("s3:GetAccountPublicAccessBlock", "s3:GetBucketLocation", "s3:GetBucketPublicAccessBlock"),
            *("s3:GetBucketVersioning", "s3:ListBucket"),
        ),
        "*",
    ),
    {"s3.GetPublicAccessBlock": ("s3control.GetPublicAccessBlock", "s3.GetBucketLocation")},
)
