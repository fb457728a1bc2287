"""Transforms: what a program changes of its resources before the engine registers them.

The engine calls them in the program's process: a resource's own first, then those of its parents, the stack's last
(pulumi/pulumi `pkg/resource/deploy/source_eval.go`, 3.260).
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
"""Options that a transform may change, as the two messages name them. The rest (timeouts, hooks, what a difference
hides) is of no resource's, but of the way it is made: nothing here reads it."""


class Transforms:
    """The transforms of one program.

    A transform may wait for a resource that another request registers. So the lock of the requests is released while
    one runs.
    """

    def __init__(self, lock: RLock) -> None:
        self._lock = lock
        self._stack: list[Any] = []
        self._below: dict[str, list[Any]] = {}
        self._channels: dict[str, grpc.Channel] = {}

    def of_stack(self, callback: Any) -> None:
        """Keeps one for every resource that comes."""
        self._stack.append(callback)

    def of(self, request: Any, urn: str) -> Any:
        """A registration as all transforms leave it. The caller holds the lock, once.

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
        """Hangs up."""
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
        # A switch that is not set stays so: else a transform that changes something else would set it.
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
    """Options as the transform leaves them; what it gives back is the whole of them."""
    for theirs, ours in _LISTS.items():
        request.ClearField(ours)
        getattr(request, ours).extend(getattr(options, theirs))
    for theirs, ours in _SWITCHES.items():
        request.ClearField(ours)
        if options.HasField(theirs):
            setattr(request, ours, getattr(options, theirs))
    for theirs, ours in _WORDS.items():
        if value := getattr(options, theirs):  # the protocol does not distinguish an empty text from no change
            setattr(request, ours, value)
    request.providers.update(options.providers)
