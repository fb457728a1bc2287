"""The policy pack: the engine's analyzer protocol, served by hand.

`pulumi_policy`'s own server deserialises every resource once a policy (87 empty policies on 1,000 resources: 18 s; one:
0.25 s), turns a rule that touches an unknown into a notice, and loses the name of a rule that raises. So: inputs are
collected by URN in Analyze, and everything is judged once, in AnalyzeStack, over those inputs and the dependencies.
"""

import sys
import threading
from concurrent import futures
from typing import Any

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import analyzer_pb2 as pb
from pulumi.runtime.proto import plugin_pb2
from pulumi.runtime.proto.analyzer_pb2_grpc import AnalyzerServicer, add_AnalyzerServicer_to_server

from muster import __version__
from muster.clock import today
from muster.fleet.finding import Finding, Level
from muster.fleet.registration import Registration
from muster.wire import has_secret, plain
from policies.catalogue import rules
from policies.judgement import RuleCrashed, judge
from policies.messages import NOT_EVALUATED, of_finding, of_unjudged
from policies.rule import Rule, Severity
from policies.views import fleet_of

PACK = "muster"

_LEVELS = {Level.MANDATORY: pb.MANDATORY, Level.ADVISORY: pb.ADVISORY}
_SEVERITIES = {
    Severity.LOW: pb.POLICY_SEVERITY_LOW,
    Severity.MEDIUM: pb.POLICY_SEVERITY_MEDIUM,
    Severity.HIGH: pb.POLICY_SEVERITY_HIGH,
    Severity.CRITICAL: pb.POLICY_SEVERITY_CRITICAL,
}
_MESSAGE_LIMIT = 400 << 20
"""A whole stack arrives in one message."""


def sheet(rule: Rule) -> pb.PolicyInfo:
    """A rule's sheet in the engine's form."""
    return pb.PolicyInfo(
        name=rule.id,
        displayName=rule.title,
        description=rule.why,
        message=rule.title,
        enforcementLevel=_LEVELS[rule.level],
        policy_type=pb.POLICY_TYPE_STACK,
        severity=_SEVERITIES[rule.severity],
        tags=[*rule.backends, *rule.facts],
        remediation_steps=rule.remedy,
        framework=pb.PolicyComplianceFramework(name="muster", version=__version__, reference=rule.source),
    )


class Analyzer(AnalyzerServicer):
    """Judges one stack."""

    def __init__(self) -> None:
        self._inputs: dict[str, dict[str, Any]] = {}
        self._levels: dict[str, int] = {}
        self._region: str | None = None
        self._lock = threading.Lock()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:
        return plugin_pb2.PluginInfo(version=__version__)

    def GetAnalyzerInfo(self, request: Any, context: Any) -> Any:
        return pb.AnalyzerInfo(
            name=PACK,
            displayName="Muster",
            version=__version__,
            supportsConfig=True,
            policies=[sheet(rule) for rule in rules()],
        )

    def ConfigureStack(self, request: Any, context: Any) -> Any:
        self._region = request.config.get("aws:region")
        return pb.AnalyzerStackConfigureResponse()

    def Configure(self, request: Any, context: Any) -> Any:
        self._levels = {name: config.enforcementLevel for name, config in request.policyConfig.items()}
        return Empty()

    def Analyze(self, request: Any, context: Any) -> Any:
        inputs = plain(request.properties)
        with self._lock:  # called for several resources at once
            self._inputs[request.urn] = inputs
        return pb.AnalyzeResponse()

    def AnalyzeStack(self, request: Any, context: Any) -> Any:
        with self._lock:
            registrations = [_registration(each, self._inputs.get(each.urn, {})) for each in request.resources]
        try:
            return pb.AnalyzeResponse(diagnostics=self.judge(registrations))
        except Exception as bug:  # noqa: BLE001 - else the engine says only "Exception calling application"
            words = f"the pack could not read this stack: {type(bug).__name__}: {bug}. This is a bug of the pack."
            return pb.AnalyzeResponse(diagnostics=[_diagnostic(NOT_EVALUATED, words, "", pb.MANDATORY)])

    def Cancel(self, request: Any, context: Any) -> Any:
        return Empty()

    def judge(self, registrations: list[Registration]) -> list[pb.AnalyzeDiagnostic]:
        """Every rule's findings, each under the rule's own name, at the configured level and the resource's URN."""
        fleet = fleet_of(registrations, region=self._region, as_of=today())
        found = [
            _diagnostic(
                NOT_EVALUATED,
                f"could not be read: {why}. This is a bug of the pack.",
                urn,
                pb.MANDATORY,
            )
            for urn, why in fleet.unreadable.items()
        ]
        for rule in rules():
            level = self._levels.get(rule.id, _LEVELS[rule.level])
            if level == pb.DISABLED:
                continue
            try:
                judgement = judge(fleet, rules=(rule,))
            except RuleCrashed as crash:
                found.append(_diagnostic(rule.id, f"{crash}. This is a bug of the pack.", "", pb.MANDATORY))
                continue
            found += [_of(rule, finding, level) for finding in judgement.findings]
            found += [
                _diagnostic(NOT_EVALUATED, of_unjudged(rule.id, missing.missing), missing.resource, pb.ADVISORY)
                for missing in judgement.not_evaluated
            ]
        return found


def _of(rule: Rule, finding: Finding, level: int) -> pb.AnalyzeDiagnostic:
    """A finding. The engine prints only the message, so remedy and source are in it."""
    message = of_finding(finding.got, finding.remedy, rule.source)
    return _diagnostic(rule.id, message, finding.resource, level, _SEVERITIES[rule.severity], rule.why)


def _diagnostic(
    name: str, message: str, urn: str, level: int, severity: int = pb.POLICY_SEVERITY_UNSPECIFIED, why: str = ""
) -> pb.AnalyzeDiagnostic:
    return pb.AnalyzeDiagnostic(
        policyName=name,
        policyPackName=PACK,
        policyPackVersion=__version__,
        description=why,
        message=message,
        enforcementLevel=level,  # type: ignore[arg-type]
        urn=urn,
        severity=severity,  # type: ignore[arg-type]
    )


def _registration(resource: Any, inputs: dict[str, Any]) -> Registration:
    """A resource as AnalyzeStack has it (outputs, dependencies), with the inputs that Analyze brought."""
    outputs = plain(resource.properties)
    return Registration(
        urn=resource.urn,
        type=resource.type,
        name=resource.name,
        inputs=inputs,
        parent=resource.parent,
        id=outputs.get("id", ""),
        outputs=outputs,
        dependencies=tuple(sorted(resource.dependencies)),
        property_dependencies={key: tuple(sorted(below.urns)) for key, below in resource.propertyDependencies.items()},
        secrets=frozenset(key for key in outputs if has_secret(resource.properties, key)),
    )


def serve() -> None:
    """Serves until the engine ends the process. The port is the first and only thing printed: the engine reads it, and
    would show anything else as noise."""
    limits = [("grpc.max_receive_message_length", _MESSAGE_LIMIT), ("grpc.max_send_message_length", _MESSAGE_LIMIT)]
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8), options=limits)
    add_AnalyzerServicer_to_server(Analyzer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    server.wait_for_termination()
