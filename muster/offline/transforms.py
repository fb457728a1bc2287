"""Transforms: changes that a program makes to its resources before the engine registers them.

The engine calls them in the program's process: those of the resource first, then those of its parents, those of the
stack last (pulumi/pulumi `pkg/resource/deploy/source_eval.go`, 3.260).
"""

from threading import RLock
from typing import Any

import grpc
from google.protobuf.message import Message
from pulumi.runtime.proto import callback_pb2, callback_pb2_grpc, resource_pb2

_SECONDS = 60.0
_LISTS = {
    "depends_on": "dependencies",
    "ignore_changes": "ignoreChanges",
    "replace_on_changes": "replaceOnChanges",
    "aliases": "aliases",
    "additional_secret_outputs": "additionalSecretOutputs",
}
_SWITCHES = {
    "protect": "protect",
    "delete_before_replace": "deleteBeforeReplace",
    "retain_on_delete": "retainOnDelete",
}
_WORDS = {
    "provider": "provider",
    "version": "version",
    "plugin_download_url": "pluginDownloadURL",
    "deleted_with": "deletedWith",
    "import": "importId",
}
"""Options that a transform may change: their names in the two messages. Muster does not read the other options
(timeouts, hooks, hidden differences): they only affect how a resource is deployed."""


class Transforms:
    """The transforms of one program.

    A transform may wait for a resource that another request registers. Therefore the lock of the requests is released
    while a transform runs.
    """

    def __init__(self, lock: RLock) -> None:
        self._lock = lock
        self._stack: list[Any] = []
        self._below: dict[str, list[Any]] = {}
        self._channels: dict[str, grpc.Channel] = {}

    def of_stack(self, callback: Any) -> None:
        """Adds a transform for every later resource."""
        self._stack.append(callback)

    def of(self, request: Any, urn: str) -> Any:
        """A registration after all transforms. The caller holds the lock, once.

        Raises:
            grpc.RpcError: a transform raised.
        """
        own = [*request.transforms, *self._below.get(request.parent, [])]
        self._below[urn] = own
        for callback in (*own, *self._stack):
            request = self._changed(request, callback)
        return request

    def _changed(self, request: Any, callback: Any) -> Any:
        request_ = resource_pb2.TransformRequest(
            type=request.type,
            name=request.name,
            custom=request.custom,
            parent=request.parent,
            properties=request.object,
            options=_options(request),
        )
        answer = self._ask(callback, request_)
        changed = resource_pb2.RegisterResourceRequest()
        changed.CopyFrom(request)
        if answer.HasField("properties"):
            changed.object.CopyFrom(answer.properties)
        if answer.HasField("options"):
            _take(answer.options, changed)
        return changed

    def _ask(self, callback: Any, message: Message) -> Any:
        channel = self._channels.setdefault(callback.target, grpc.insecure_channel(callback.target))
        self._lock.release()
        try:
            response = callback_pb2_grpc.CallbacksStub(channel).Invoke(
                callback_pb2.CallbackInvokeRequest(token=callback.token, request=message.SerializeToString()),
                timeout=_SECONDS,
            )
        finally:
            self._lock.acquire()
        return resource_pb2.TransformResponse.FromString(response.response)

    def close(self) -> None:
        """Closes the connections."""
        for channel in self._channels.values():
            channel.close()


def _options(request: Any) -> Any:
    options = resource_pb2.TransformResourceOptions(
        depends_on=list(request.dependencies),
        ignore_changes=list(request.ignoreChanges),
        replace_on_changes=list(request.replaceOnChanges),
        version=request.version,
        aliases=list(request.aliases),
        provider=request.provider,
        plugin_download_url=request.pluginDownloadURL,
        additional_secret_outputs=list(request.additionalSecretOutputs),
        providers=dict(request.providers),
    )
    for theirs, ours in _SWITCHES.items():
        # Do not set an unset switch: else a transform that changes something else would set it.
        if _is_set(request, ours):
            setattr(options, theirs, getattr(request, ours))
    options.deleted_with = request.deletedWith
    setattr(options, "import", request.importId)
    return options


def _is_set(request: Any, switch: str) -> bool:
    if switch == "deleteBeforeReplace":
        return bool(request.deleteBeforeReplaceDefined)
    return bool(request.HasField(switch))


def _take(options: Any, request: Any) -> None:
    """Applies the options that a transform returns; they replace all options."""
    for theirs, ours in _LISTS.items():
        request.ClearField(ours)
        getattr(request, ours).extend(getattr(options, theirs))
    for theirs, ours in _SWITCHES.items():
        request.ClearField(ours)
        if options.HasField(theirs):
            setattr(request, ours, getattr(options, theirs))
    for theirs, ours in _WORDS.items():
        if value := getattr(options, theirs):  # in the protocol, an empty text can also mean no change
            setattr(request, ours, value)
    request.providers.update(options.providers)
