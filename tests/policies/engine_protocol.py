"""The policy pack in this process: called in the engine's order, with the messages of its protocol."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import grpc
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as pb

from muster.fleet.registration import Registration
from muster.policies.analyzer import Analyzer
from muster.wire import secret, to_wire


class Refused(Exception):
    """The pack refused a call."""


class Call:
    """The context of a call."""

    def abort(self, code: grpc.StatusCode, words: str) -> None:
        raise Refused(words)


def struct(values: Mapping[str, Any]) -> Struct:
    """Values on the wire."""
    made = Struct()
    made.update(to_wire(values))
    return made


def _outputs(made: Registration) -> Struct:
    """The outputs of a resource, with secrets marked. Those of a bridged provider include its id."""
    bridged = made.custom and made.type.startswith("aws:")
    marked = struct({**made.outputs, "id": made.id} if bridged else made.outputs)
    marked.update({key: secret(to_wire(made.outputs[key])) for key in made.secrets if key in made.outputs})
    return marked


def resource(made: Registration) -> pb.AnalyzerResource:
    """A resource as the engine passes it with the whole stack."""
    urns = {key: pb.AnalyzerPropertyDependencies(urns=below) for key, below in made.property_dependencies.items()}
    return pb.AnalyzerResource(
        type=made.type,
        urn=made.urn,
        name=made.name,
        parent=made.parent,
        provider=pb.AnalyzerProviderResource() if made.custom else None,
        properties=_outputs(made),
        dependencies=made.dependencies,
        propertyDependencies=urns,
    )


def configured(pack: Analyzer, config: Mapping[str, Any] | None) -> dict[str, pb.PolicyConfig]:
    """What the engine passes for a configuration file: each policy by its sheet, with the defaults of its options; then
    `all`, then the file's values (pkg/resource/analyzer/config.go of 3.260)."""
    levels = {"mandatory": pb.MANDATORY, "advisory": pb.ADVISORY, "disabled": pb.DISABLED, "remediate": pb.REMEDIATE}
    given = {name: {"enforcementLevel": of} if isinstance(of, str) else dict(of) for name, of in (config or {}).items()}
    made: dict[str, tuple[int, dict[str, Any]]] = {}
    for each in pack.GetAnalyzerInfo(None, None).policies:
        schema = {key: dict(value) for key, value in _plain(each.configSchema.properties).items()}
        defaults = {key: value["default"] for key, value in schema.items() if "default" in value}
        made[each.name] = (each.enforcementLevel, defaults)
    every = given.get("all", {}).get("enforcementLevel")
    if every:
        made = {name: (levels[every], options) for name, (_, options) in made.items()}
    for name, said in given.items():
        level, options = made.get(name, (0, {}))
        level = levels.get(said.pop("enforcementLevel", ""), level)
        made[name] = (level, {**options, **said})
    return {
        name: pb.PolicyConfig(enforcementLevel=level, properties=struct(options))  # type: ignore[arg-type]
        for name, (level, options) in made.items()
    }


def _plain(values: Struct) -> dict[str, Any]:
    from google.protobuf.json_format import MessageToDict

    return dict(MessageToDict(values))


def diagnostics_of(
    registrations: Iterable[Registration],
    *,
    config: Mapping[str, Any] | None = None,
    stack: str = "dev",
    stack_config: Mapping[str, Any] | None = None,
) -> list[pb.AnalyzeDiagnostic]:
    """The diagnostics about what a program registers."""
    pack = Analyzer()
    texts = {
        key: value if isinstance(value, str) else json.dumps(value, default=str)
        for key, value in (stack_config or {}).items()
    }
    pack.ConfigureStack(
        pb.AnalyzerStackConfigureRequest(stack=stack, project="muster", organization="organization", config=texts), None
    )
    pack.Configure(pb.ConfigureAnalyzerRequest(policyConfig=configured(pack, config)), Call())
    listed = list(registrations)
    for each in listed:
        pack.Analyze(
            pb.AnalyzeRequest(type=each.type, urn=each.urn, name=each.name, properties=struct(each.inputs)), None
        )
    whole = pb.AnalyzeStackRequest(resources=map(resource, listed))
    return list(pack.AnalyzeStack(whole, None).diagnostics)
