"""The function that takes `RollbackOnFailure` out of all requests but the first."""

import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from muster.blueprint.parallelcluster.template import CODE, PROPERTY

PROVIDER = "arn:aws:lambda:us-west-2:000000000000:function:pcluster-cfn-0"
PROPERTIES = {"ClusterName": "ml", "ClusterConfiguration": {"Image": {"Os": "alinux2023"}}}


class World:
    """What the function finds around it: Lambda's client, and the answers that CloudFormation gets."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.invoked: list[dict[str, Any]] = []
        self.answers: list[tuple[Any, ...]] = []

    def client(self, service: str) -> "World":
        assert service == "lambda"
        return self

    def invoke(self, **request: Any) -> None:
        if self.refuses:
            raise RuntimeError("no such function")
        self.invoked.append(request)

    def send(self, *answer: Any, reason: str) -> None:
        self.answers.append((*answer[2:], reason))


@pytest.fixture
def handler_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[World], Any]:
    """The handler as Lambda loads it, in a world."""

    def load(world: World) -> Any:
        boto3, response = ModuleType("boto3"), ModuleType("cfnresponse")
        vars(boto3)["client"] = world.client
        vars(response).update(send=world.send, FAILED="FAILED")
        monkeypatch.setitem(sys.modules, "boto3", boto3)
        monkeypatch.setitem(sys.modules, "cfnresponse", response)
        monkeypatch.setenv("PROVIDER", PROVIDER)
        loaded: dict[str, Any] = {}
        exec(compile(CODE, "index.py", "exec"), loaded)
        return loaded["handler"]

    return load


def event(kind: str) -> dict[str, Any]:
    """A request of CloudFormation's; booleans come as text."""
    asked = {**PROPERTIES, PROPERTY: "false"}
    old = {} if kind != "Update" else {"OldResourceProperties": dict(asked)}
    return {"RequestType": kind, "ResourceProperties": asked, "ResponseURL": "https://example.com", **old}


def test_the_first_request_goes_on_as_it_is(handler_in: Callable[[World], Any]) -> None:
    """The provider, which answers CloudFormation itself, is asked and not waited for."""
    world = World()
    handler_in(world)(event("Create"), None)
    (asked,) = world.invoked
    assert (asked["FunctionName"], asked["InvocationType"]) == (PROVIDER, "Event")
    assert json.loads(asked["Payload"]) == event("Create")
    assert world.answers == []


@pytest.mark.parametrize("kind", ["Update", "Delete"])
def test_every_later_request_goes_on_without_it(kind: str, handler_in: Callable[[World], Any]) -> None:
    """Also that by which CloudFormation rolls a failed update back; nothing else is changed."""
    world = World()
    handler_in(world)(event(kind), None)
    (asked,) = world.invoked
    gone = json.loads(asked["Payload"])
    assert gone["ResourceProperties"] == PROPERTIES
    assert gone.get("OldResourceProperties", PROPERTIES) == PROPERTIES
    assert gone.keys() == event(kind).keys()


def test_what_the_provider_was_never_asked_is_answered(handler_in: Callable[[World], Any]) -> None:
    """Else CloudFormation would wait an hour for nobody."""
    world = World(refuses=True)
    handler_in(world)({**event("Update"), "PhysicalResourceId": "ml"}, None)
    assert world.answers == [("FAILED", {}, "ml", "no such function")]


def test_it_fits_where_it_is_written() -> None:
    """CloudFormation takes 4 MB of a function's code in a template, of ours 51,200 bytes are there for everything."""
    assert len(CODE.encode()) < 1000
