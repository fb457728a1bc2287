"""Every field of the description keeps the house rules; what may be written in two ways means one thing."""

import re
import typing
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import Strict

from muster.config.description.base import Change, Choice, StrictModel, change_cost
from muster.config.description.eks_cluster import EksCluster
from muster.config.placeholders import is_placeholder
from muster.hardware.ami import Family
from muster.hardware.interfaces import Layout
from tests.factories import CR, DROP, a_description


def parts(part: type[StrictModel] = EksCluster, seen: set[type[StrictModel]] | None = None) -> set[type[StrictModel]]:
    """Every block that the description is made of."""
    seen = set() if seen is None else seen
    if part not in seen:
        seen.add(part)
        for info in part.model_fields.values():
            for each in types_in(info.annotation):
                if isinstance(each, type) and issubclass(each, StrictModel):
                    parts(each, seen)
    return seen


def types_in(annotation: Any) -> Iterator[Any]:
    """An annotation and everything inside it."""
    yield annotation
    for each in typing.get_args(annotation):
        yield from types_in(each)


FIELDS = {
    f"{part.__name__}.{name}": (part, name, info)
    for part in sorted(parts(), key=lambda part: part.__name__)
    for name, info in part.model_fields.items()
}


def test_the_blocks_are_found() -> None:
    assert {"EksCluster", "EksGroup", "Nodes", "Reservation", "ExistingNetwork", "Suppression"} <= {
        part.__name__ for part in parts()
    }


def test_every_field_has_a_kebab_case_key_a_description_and_a_cost_of_change() -> None:
    """A description is a sentence."""
    for of, (part, name, info) in FIELDS.items():
        assert change_cost(part, name) in Change, of
        assert re.fullmatch(r"\S(.*\S)?\.", info.description or "", re.DOTALL), of
        assert re.fullmatch(r"[a-z]+[0-9]*(-[a-z]+)*", info.alias or name), of


def test_numbers_and_switches_are_strict() -> None:
    """`count: "4"` and `nodes: true` are mistakes, not numbers."""

    def loose(annotation: Any, metadata: tuple[Any, ...] = ()) -> bool:
        if annotation in (int, bool, float):
            return not any(isinstance(each, Strict) and each.strict for each in metadata)
        if typing.get_origin(annotation) is typing.Annotated:
            inner, *more = typing.get_args(annotation)
            return loose(inner, tuple(more))
        if typing.get_origin(annotation) is typing.Literal:
            return False
        return any(loose(each) for each in typing.get_args(annotation))

    assert [of for of, (_, _, info) in FIELDS.items() if loose(info.annotation, tuple(info.metadata))] == []


def test_every_block_is_explained_and_closed() -> None:
    for part in sorted(parts(), key=lambda part: part.__name__):
        assert part.__doc__, part
        assert part.model_config["extra"] == "forbid", part
        assert part.model_config["frozen"] is True, part


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"groups.workers.nodes": 3}, {"groups.workers.nodes": {"min": 3, "start": 3, "max": 3}}),
        ({"control-plane": "create"}, {"control-plane": {"create": {}}}),
        ({"groups.workers.capacity": "on-demand"}, {"groups.workers.capacity": {"on-demand": {}}}),
        ({"groups.system.capacity": "on-demand"}, {}),
        ({"addons.kueue": {}}, {"addons.kueue": {"queues": {"main": {"namespace": "default"}}}}),
        ({"api": "private"}, {"api": {"private": {}}}),
        ({"groups.workers.huge-pages": "2GiB"}, {"groups.workers.huge-pages": "2048MiB"}),
        ({"groups.workers.volume": {"size": "1TiB"}}, {"groups.workers.volume": {"size": "1024Gi"}}),
        (
            {"storage": {"scratch": {"lustre": {"size": "4800GiB", "throughput": 250, "metadata": "automatic"}}}},
            {"storage": {"scratch": {"lustre": {"size": "4800Gi", "throughput": 250, "metadata": {"automatic": {}}}}}},
        ),
    ],
)
def test_two_ways_to_say_one_thing(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert a_description(one) == a_description(other)


@pytest.mark.parametrize(
    ("purpose", "said", "layout"),
    [
        ("training", None, Layout.AWS),
        ("inference", None, Layout.PLAIN),
        ("system", None, Layout.PLAIN),
        ("training", "plain", Layout.PLAIN),
        ("inference", "classic", Layout.CLASSIC),
    ],
)
def test_the_layout_follows_the_purpose_where_none_is_said(purpose: str, said: str | None, layout: Layout) -> None:
    edits = {"groups.workers.for": purpose} | ({"groups.workers.interfaces": said} if said else {})
    assert a_description(edits).groups["workers"].layout is layout


@pytest.mark.parametrize(
    ("value", "placeholder"),
    [
        *(
            (value, True)
            for value in (
                "subnet-fill-me-in-private-a",
                "arn:aws:iam::123456789012:role/ml-admins",
                "arn:aws:iam::444455556666:role/ml-admins",
                "192.0.2.0/28",
                "198.51.100.128/25",
                "203.0.113.0/24",
                "s3://fill-me-in-datasets",
                "s3://fill-me-in/imagenet/",
                "oci://registry.example.com/charts",
                "https://charts.example.org:8443/stable",
                "registry.example.net",
                "111122223333.dkr.ecr.us-west-2.amazonaws.com/mirror",
            )
        ),
        *(
            (value, False)
            for value in (
                "not fill-me-in at all",
                "arn:aws:iam::999988887777:role/ml-admins",
                "10.0.0.0/8",
                "subnet-0123456789abcdef0",
                "s3://ours/fill-me-in",
                "oci://registry.example.company/charts",
                "oci://ours.com/example.com",
                "https://myexample.com",
                "team@example.com",
                "210987654321.dkr.ecr.us-west-2.amazonaws.com/mirror",
            )
        ),
    ],
)
def test_placeholders(value: str, *, placeholder: bool) -> None:
    assert is_placeholder(value) is placeholder


@pytest.mark.parametrize(
    "part", [each for each in sorted(parts(), key=lambda each: each.__name__) if issubclass(each, Choice)]
)
def test_a_choice_is_of_one_key_for_editors_too(part: type[Choice]) -> None:
    """None is too few, two are too many; or a bare word, of those that there are."""
    drawn = part.model_json_schema()
    drawn = drawn["$defs"][drawn["$ref"].rpartition("/")[2]] if "$ref" in drawn else drawn
    *words, block = drawn.get("anyOf", [drawn])[::-1]
    assert (block["minProperties"], block["maxProperties"]) == (1, 1)
    assert words == ([{"enum": sorted(part.bare_words)}] if part.bare_words else [])


@pytest.mark.parametrize(("active", "numbers"), [(False, (0, 0, 4)), (True, (2, 3, 4))])
def test_a_block_that_has_not_begun_has_no_nodes(*, active: bool, numbers: tuple[int, int, int]) -> None:
    """Whatever `nodes` is; the most it may have stays."""
    days = {"starts": "2026-12-01", "ends": "2026-12-15"}
    block = {"id": CR, "zone": "us-west-2a", "count": 1, **days, "active": active}
    nodes = {"min": 2, "start": 3, "max": 4, "scaled-by": "you"}
    edits = {"groups.workers.capacity": {"capacity-block": block}, "groups.workers.nodes": nodes}
    now = a_description(edits).groups["workers"].nodes_now
    assert (now.min, now.start, now.max) == numbers


@pytest.mark.parametrize(
    ("image", "family", "custom"),
    [
        (DROP, Family.AL2023, False),
        ("bottlerocket", Family.BOTTLEROCKET, False),
        ({"custom": {"id": "ami-0123456789abcdef0"}}, Family.AL2023, True),
        ({"custom": {"ssm": "/ml/image", "family": "bottlerocket"}}, Family.BOTTLEROCKET, True),
    ],
)
def test_every_kind_of_image(image: Any, family: Family, *, custom: bool) -> None:
    """An image of one's own is of AL2023 where its family is not given."""
    made = a_description({"groups.workers.image": image}).groups["workers"].image
    assert (made.family, made.custom is not None) == (family, custom)
