"""The policy pack: a server for the engine's analyzer protocol, without the SDK.

The server of `pulumi_policy` deserializes every resource once per policy (87 empty policies on 1,000 resources: 18 s;
one: 0.25 s), turns a rule that touches an unknown into a notice, and loses the name of a rule that raises. So Analyze
collects inputs by URN, and AnalyzeStack judges everything once, over those inputs and the dependencies.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from concurrent import futures
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as pb
from pulumi.runtime.proto import plugin_pb2
from pulumi.runtime.proto.analyzer_pb2_grpc import AnalyzerServicer, add_AnalyzerServicer_to_server

from muster import __version__, terminal
from muster.clock import today
from muster.config.document import CLUSTER_KEY, POLICIES_KEY, REGION_KEY
from muster.finding import Finding, Level
from muster.fleet.registration import EXISTING, Registration
from muster.fleet.resources import Fleet
from muster.policies.engine import configuration_schema
from muster.policies.engine.catalogue import Selection, all_rules
from muster.policies.engine.configuration import ALL, LEVEL_KEY, MUSTER, Configuration, checked, of_values
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, RuleCrashed, judge, judge_stack
from muster.policies.engine.messages import (
    NOT_EVALUATED,
    SuppressedMessage,
    of_bug,
    of_finding,
    of_suppressed,
    of_unjudged,
)
from muster.policies.engine.options import options_of
from muster.policies.engine.rule import Rule, Severity
from muster.policies.engine.suppressions import about
from muster.policies.views import fleet_of, unread_lines
from muster.policies.views.fleet import with_description
from muster.secret_texts import hidden
from muster.stack.project import display_path, facts_file, stack_file
from muster.stack.stack_file import StackFile, load_values
from muster.wire import has_secret, plain

# The Muster stack that the engine runs, as the pack sees it: its description, and the places in its file.
#
# The engine hands the pack the stack's configuration, so the description is judged as it is deployed. It does not pass
# the folder of the project, and starts the pack in the folder of the pack. So the pack's `__main__.py` changes to the
# project, and the stack's file and its facts are looked up in the current folder.


class Undescribed(Exception):
    """The description of a Muster stack cannot be used. The message states why."""


@dataclass(frozen=True, slots=True)
class OwnStack:
    """A stack with a description, and what its program registered."""

    opened: StackFile
    fleet: Fleet
    """The registered resources, with their places in the description."""
    urns: Mapping[str, list[tuple[type, str]]]
    """A place in the description -> the types and URNs of its things."""

    def urn_of(self, resource: str, rule: Rule | None = None) -> str:
        """The URN of the resource for a place of the description: of a type that the rule judges, if there is one.
        Empty if there is no resource."""
        if resource.startswith("urn:"):
            return resource
        here = self.urns.get(resource, ())
        judged = [urn for kind, urn in here if rule and issubclass(kind, rule.kinds)]
        return next(iter((*judged, *(urn for _, urn in here))), "")

    def place_of(self, finding: Finding) -> str:
        """``groups.workers.nodes, stacks/Pulumi.p5-odcr.yaml:14:9``; a URN has no line."""
        if finding.where.startswith("urn:"):
            return ""
        located = self.opened.locate(finding)
        where = f"{display_path(located.file)}:{located.position.line}:{located.position.column}"
        at = str(located) if located.elsewhere else where
        return f"{finding.where}, {at}" if finding.where else at


def open_own_stack(stack: str, config: Mapping[str, str], organization: str | None) -> StackFile | None:
    """The description of the stack that the engine runs; None for another team's program.

    Raises:
        Undescribed: the description has faults, or the cluster that it refers to is unknown.
    """
    if CLUSTER_KEY not in config:
        return None
    opened = load_values(
        stack,
        _value(config[CLUSTER_KEY]),
        config.get(REGION_KEY, ""),
        stack_file(Path.cwd(), stack),
        facts_file(Path.cwd(), stack),
        organization or None,
        _value(config[POLICIES_KEY]) if POLICIES_KEY in config else None,
    )
    opened = replace(checked(opened), facts_file=display_path(opened.facts_file))  # as people in the project name it
    if opened.described is None:
        faults = "; ".join(
            f"{display_path(each.file)}: {each.finding.where}: {each.finding.got}" for each in opened.faults
        )
        raise Undescribed(faults)
    if not opened.knows_cluster:
        raise Undescribed(f"the cluster is not known: {opened.unknown_cluster}")
    return opened


def registered(opened: StackFile, seen: Fleet, as_of: date) -> OwnStack:
    """A stack with what its program registered."""
    derived = described_fleet(opened.derive(), as_of)
    urns = {each.ref: each.place.resource for each in seen.objects}
    fleet = with_description(opened, derived, seen)
    things: dict[str, list[tuple[type, str]]] = {}
    for each in fleet.objects:
        if urn := urns.get(each.ref):
            things.setdefault(each.place.resource, []).append((type(each), urn))
    return OwnStack(opened, replace(fleet, unreadable=seen.unreadable), things)


def _value(text: str) -> Any:
    """A value of the engine's configuration: blocks are JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


PACK = "muster"

_LEVELS = {each: pb.EnforcementLevel.Value(each.name) for each in Level}
_SEVERITIES = {each: pb.PolicySeverity.Value(f"POLICY_SEVERITY_{each.name}") for each in Severity}
_PROVIDERS = "pulumi:providers:"
FACTS_KEY = f"{MUSTER}.facts of the --policy-pack-config file"
"""Where a user sets facts about another team's account: the engine passes them without the name of their file."""
_MESSAGE_LIMIT = 400 << 20
"""The size limit of messages: a whole stack arrives in one message."""


def sheet(rule: Rule) -> pb.PolicyInfo:
    """A rule's sheet in the engine's type."""
    return pb.PolicyInfo(
        name=rule.id,
        displayName=rule.title,
        description=rule.why,
        message=rule.title,
        enforcementLevel=_LEVELS[rule.level],
        policy_type=pb.POLICY_TYPE_STACK,
        severity=_SEVERITIES[rule.severity],
        tags=[rule.topic, *rule.backends, *rule.facts],
        remediation_steps=rule.remedy,
        url=rule.source[0],
        framework=pb.PolicyComplianceFramework(name="muster", version=__version__, reference=rule.source[0]),
        configSchema=_schema(options_of(rule.options)),
    )


def sheet_of_muster() -> pb.PolicyInfo:
    """The policy that is not a rule: facts, Region and suppressions are configured under its name."""
    return pb.PolicyInfo(
        name=MUSTER,
        displayName="Settings of Muster's rules",
        description="Facts about the account, its Region, and suppressions. It finds nothing itself.",
        message="Settings of Muster's rules",
        enforcementLevel=pb.ADVISORY,
        policy_type=pb.POLICY_TYPE_STACK,
        severity=pb.POLICY_SEVERITY_LOW,
        configSchema=_schema(configuration_schema.of_muster()),
    )


def _schema(properties: Mapping[str, Any]) -> pb.PolicyConfigSchema | None:
    if not properties:
        return None
    struct = Struct()
    struct.update(dict(properties))
    return pb.PolicyConfigSchema(properties=struct)


class Analyzer(AnalyzerServicer):
    """Judges one stack."""

    def __init__(self, rules: Selection = Selection()) -> None:  # noqa: B008
        """The rules are those of the pack: of all, or only of users."""
        self._rules = rules
        self._inputs: dict[str, dict[str, Any]] = {}
        self._configuration = Configuration(selection=rules)
        self._own: StackFile | None = None
        self._undescribed = ""
        self._stack = ""
        self._region: str | None = None
        self._lock = threading.Lock()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:
        return plugin_pb2.PluginInfo(version=__version__)

    def GetAnalyzerInfo(self, request: Any, context: Any) -> Any:
        return pb.AnalyzerInfo(
            name="-".join((PACK, *(each.removesuffix("/*") for each in self._rules.select))),
            displayName="Muster",
            version=__version__,
            supportsConfig=True,
            policies=[sheet_of_muster(), *(sheet(rule) for rule in self._rules.of(all_rules()))],
        )

    def ConfigureStack(self, request: Any, context: Any) -> Any:
        """Receives the stack's configuration. A description that cannot be used is reported with the findings: the
        program's own gate refuses it, and the pack still judges what is registered."""
        self._stack = request.stack
        self._region = request.config.get("aws:region")
        try:
            self._own = open_own_stack(request.stack, request.config, request.organization)
        except Undescribed as why:
            self._undescribed = str(why)
        except Exception as bug:  # noqa: BLE001 - the pack can still judge the stack without its description
            self._undescribed = of_bug(f"{type(bug).__name__}: {bug}")
        return pb.AnalyzerStackConfigureResponse()

    def Configure(self, request: Any, context: Any) -> Any:
        """Receives levels and options. The engine fills in the defaults and checks the types of options. It does not
        check names, and reports an error of this call as its own."""
        made, faults = of_values(dict(_configured(request.policyConfig)))
        if faults:
            lines = [f"  {each.where}: {each.got}\n    fix: {each.remedy}" for each in faults]
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "\n".join(["the pack's configuration has faults", *lines]))
        self._configuration = replace(made, selection=self._rules)
        return Empty()

    def Analyze(self, request: Any, context: Any) -> Any:
        inputs = plain(request.properties)
        with self._lock:  # called for several resources at once
            self._inputs[request.urn] = inputs
        return pb.AnalyzeResponse()

    def AnalyzeStack(self, request: Any, context: Any) -> Any:
        with self._lock:
            registrations = [registration(each, self._inputs.get(each.urn)) for each in request.resources]
        try:
            return pb.AnalyzeResponse(diagnostics=self.judge(registrations))
        except Exception as bug:  # noqa: BLE001 - else the engine prints only "Exception calling application"
            words = of_bug(f"the pack could not read this stack: {type(bug).__name__}: {bug}")
            return pb.AnalyzeResponse(diagnostics=[_diagnostic(NOT_EVALUATED, words, "", pb.MANDATORY)])

    def Cancel(self, request: Any, context: Any) -> Any:
        return Empty()

    def judge(self, registrations: list[Registration]) -> list[pb.AnalyzeDiagnostic]:
        """Every rule's findings, each under the rule's own name, at the configured level and the resource's URN."""
        chosen = self._configuration
        fleet = fleet_of(
            registrations,
            facts=chosen.facts,
            facts_file=chosen.facts_file or FACTS_KEY,
            region=self._region or chosen.region,
            as_of=today(),
        )
        found = [
            _diagnostic(NOT_EVALUATED, of_bug(f"could not be read: {why}"), urn, pb.MANDATORY)
            for urn, why in fleet.unreadable.items()
        ]
        own, undescribed = self._described(fleet)
        if undescribed:
            words = (
                "Muster cannot use the stack's description, so it judges the stack as another team's program, without "
                f"the description's suppressions, facts and places: {undescribed}"
            )
            found.append(_diagnostic(MUSTER, words, "", pb.ADVISORY))
        crashes: list[RuleCrashed] = []
        if own is None:
            judgement = judge(fleet, rules=chosen.rules, suppressions_of_others=chosen.suppress, crashes=crashes)
            # A type has no URN, so the message names it.
            unseen = [
                of_unjudged(each.rule, f"{each.resource}: {each.missing}")
                for each in unread_lines(registrations)
                if not self._rules.select  # Muster's pack reports them
            ]
            found += [_diagnostic(NOT_EVALUATED, words, "", pb.ADVISORY) for words in unseen]
        else:
            judgement = judge_stack(own.opened, own.fleet, chosen, crashes=crashes)
        found += [_diagnostic(each.rule, of_bug(str(each)), "", pb.MANDATORY) for each in crashes]
        # All rules: the stack's own configuration may enable a rule that the pack's configuration disables.
        by_name = {rule.id: rule for rule in all_rules()} | {rule.id: rule for rule in chosen.rules}
        found += [_of(by_name.get(each.rule), each, own) for each in (*judgement.findings, *self._wrong(judgement))]
        found += [
            _diagnostic(
                NOT_EVALUATED,
                of_unjudged(missing.rule, missing.missing),
                own.urn_of(missing.resource, by_name.get(missing.rule)) if own else missing.resource,
                pb.ADVISORY,
            )
            for missing in judgement.not_evaluated
        ]
        if silenced := judgement.suppressed:
            covered = (
                SuppressedMessage(each.finding.rule, each.finding.where, each.until, each.reason) for each in silenced
            )
            found.append(_diagnostic(MUSTER, of_suppressed(covered), "", pb.ADVISORY))
        return found

    def _described(self, seen: Fleet) -> tuple[OwnStack | None, str]:
        """The stack with its description, and why it cannot be used if there is one."""
        if self._own is None:
            return None, self._undescribed
        try:
            return registered(self._own, seen, today()), ""
        except Exception as bug:  # noqa: BLE001 - the rules also judge the stack without its description
            return None, of_bug(f"{type(bug).__name__}: {bug}")

    def _wrong(self, judgement: Judgement) -> list[Finding]:
        """The findings about the suppressions of the pack's configuration, except those for other stacks: one file may
        serve several stacks."""
        used = {each.by for each in judgement.suppressed}
        others = {each for each in self._configuration.suppress if not self._is_here(each.at)}
        wrong = about(
            self._configuration.suppress,
            used | others,
            judgement.findings,
            today(),
            at="muster.suppress",
            known={rule.id for rule in all_rules()},
            evaluated={rule.id for rule in self._configuration.rules},
        )
        return list(wrong)

    def _is_here(self, at: str) -> bool:
        """Whether a place is certainly in this program: a path may belong to any description."""
        return at.startswith(f"urn:pulumi:{self._stack}::") if at.startswith("urn:") else "::" in at


def _configured(given: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The engine's configuration in the format of a file. The engine has already applied the level of `all` to each
    rule."""
    for name, config in given.items():
        level = {} if name in (ALL, MUSTER) else {LEVEL_KEY: pb.EnforcementLevel.Name(config.enforcementLevel).lower()}
        yield name, level | plain(config.properties)


def _of(rule: Rule | None, finding: Finding, own: OwnStack | None) -> pb.AnalyzeDiagnostic:
    """A finding as a diagnostic. The engine prints only the message, so it includes place, remedy and source."""
    place = own.place_of(finding) if own else ""
    message = of_finding(finding.got, finding.remedy, rule.source[0] if rule else "", place)
    urn = own.urn_of(finding.resource, rule) if own else finding.resource
    severity = _SEVERITIES[rule.severity] if rule else pb.POLICY_SEVERITY_UNSPECIFIED
    return _diagnostic(finding.rule, message, urn, _LEVELS[finding.level], severity, rule.why if rule else "")


def _diagnostic(
    name: str, message: str, urn: str, level: int, severity: int = pb.POLICY_SEVERITY_UNSPECIFIED, why: str = ""
) -> pb.AnalyzeDiagnostic:
    return pb.AnalyzeDiagnostic(
        policyName=name,
        policyPackName=PACK,
        policyPackVersion=__version__,
        description=why,
        message=hidden(message),
        enforcementLevel=level,  # type: ignore[arg-type]
        urn=urn,
        severity=severity,  # type: ignore[arg-type]
    )


def registration(resource: Any, inputs: dict[str, Any] | None) -> Registration:
    """A resource from AnalyzeStack (outputs, dependencies), with the inputs from Analyze. There are none if a program
    only reads the resource."""
    outputs = plain(resource.properties)
    return Registration(
        urn=resource.urn,
        type=resource.type,
        name=resource.name,
        inputs=inputs or {},
        parent=resource.parent,
        # The engine names a provider for each custom resource, and for no component.
        custom=resource.HasField("provider") or resource.type.startswith(_PROVIDERS),
        id=outputs.get("id", ""),
        outputs=outputs,
        dependencies=tuple(sorted(resource.dependencies)),
        property_dependencies={key: tuple(sorted(below.urns)) for key, below in resource.propertyDependencies.items()},
        options={EXISTING: True} if inputs is None else {},
        secrets=frozenset(key for key in outputs if has_secret(resource.properties, key)),
    )


def serve(*folders: str) -> None:
    """Serves a pack: Muster's, or one with the rules of users in these folders.

    It serves until the engine ends the process. It prints only the port, which the engine reads. The engine would show
    any other output to the user."""
    if folders:
        from muster.policies.engine.packs import use  # noqa: PLC0415  (Muster's pack does not need it)

        use(map(Path, folders))
    limits = [("grpc.max_receive_message_length", _MESSAGE_LIMIT), ("grpc.max_send_message_length", _MESSAGE_LIMIT)]
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8), options=limits)
    add_AnalyzerServicer_to_server(Analyzer(Selection(tuple(f"{Path(each).name}/*" for each in folders))), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    terminal.write_lines([str(port)])
    server.wait_for_termination()
