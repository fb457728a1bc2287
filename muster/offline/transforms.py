"""The transforms of a program, called as the engine calls them: no server stands between."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime._callbacks import _CallbackServicer
from pulumi.runtime.proto import resource_pb2


class Transforms(_CallbackServicer):
    """What the SDK registers functions with, and what the offline monitor calls them by."""

    def __init__(self, monitor: Any) -> None:  # instead of the SDK's, which starts a server
        self._callbacks, self._transforms, self._state_migrations = {}, {}, {}
        self._monitor, self._target = monitor, ""
        self._of: dict[str, tuple[tuple[str, ...], str]] = {}
        self.of_stack: list[str] = []
        """Transforms of every resource."""

    def run_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """The loop of the program, on which its functions are called."""
        self._loop = loop

    def inherit(self, urn: str, tokens: Iterable[str], parent: str) -> None:
        """A resource of its own options' transforms, which its children also have."""
        self._of[urn] = tuple(tokens), parent

    async def _call(self, token: str, request: bytes) -> Struct:
        answer: Any = await self._callbacks[token](request)
        changed: Struct = answer.properties
        return changed

    def applied(self, urn: str, about: Mapping[str, Any], properties: Struct) -> Struct:
        """The properties of a resource after its own transforms, then those of its parents, then those of the stack.
        The options that a transform changes are not followed.

        Args:
            urn: the resource.
            about: its type, its name, and whether it is custom.
            properties: what it is registered with.
        """
        tokens: list[str] = []
        while urn in self._of:
            own, urn = self._of[urn]
            tokens += own
        for token in (*tokens, *self.of_stack):
            request = resource_pb2.TransformRequest(**about, properties=properties).SerializeToString()
            properties = asyncio.run_coroutine_threadsafe(self._call(token, request), self._loop).result()
        return properties
