"""Evaluates rules over a fleet or a stack: what was judged, found, not evaluated and suppressed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.suppression import Suppression
from muster.finding import Finding, Level, NotEvaluated, OurBug
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.fleet import Judged
from muster.message_text import raised
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.configuration import Configuration
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.engine.suppressions import Suppressed, about, split
from muster.stack.stack_file import StackFile
from muster.stack.stack_uses import uses_of
from muster.terminal import others_print
from muster.unknown import NotKnown, must_be_known


class RuleCrashed(OurBug):
    """A rule raised. Carries the rule's id."""

    def __init__(self, rule: str, thing: str, cause: Exception) -> None:
        super().__init__(f"rule {rule} crashed on {thing}: {type(cause).__name__}: {cause}")
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Judgement:
    """The whole outcome, sorted."""

    judged: Mapping[str, int]
    """Rule -> the number of things that it was evaluated on, 0 included. Rules that are not for the fleet's backend are
    absent."""
    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]
    suppressed: tuple[Suppressed, ...]


def judge(
    fleet: Fleet,
    suppressions: Iterable[Suppression] = (),
    rules: Iterable[Rule] | None = None,
    suppressions_of_others: Iterable[Suppression] = (),
    *,
    crashes: list[RuleCrashed] | None = None,
) -> Judgement:
    """Evaluates every rule that is for the fleet's backend on the fleet.

    Args:
        fleet: the things to judge.
        suppressions: the stack's own suppressions.
        rules: the configured rules; None is every rule with its sheet's level and options.
        suppressions_of_others: the suppressions of other stacks of the cluster, and of a configuration. They also
            cover findings; the findings about them belong to the report of the document that has them.
        crashes: a list to collect the exceptions of rules in; the other rules still run. With None the first exception
            propagates.

    Raises:
        RuleCrashed: a predicate raised.
    """
    judged: Counter[str] = Counter()
    findings: set[Finding] = set()
    unjudged: set[NotEvaluated] = set()
    selected = tuple(all_rules() if rules is None else rules)
    here = [each for each in selected if each.is_for(fleet)]
    ids = frozenset(each.id for each in here)
    own, of_others = tuple(suppressions), tuple(suppressions_of_others)
    for each in here:
        try:
            judged[each.id], verdicts = _evaluate(each.in_run_of(ids, fleet.terms), fleet)
        except RuleCrashed as crash:
            if crashes is None:
                raise
            crashes.append(crash)
            continue
        findings |= {verdict for verdict in verdicts if isinstance(verdict, Finding)}
        unjudged |= {verdict for verdict in verdicts if isinstance(verdict, NotEvaluated)}
    left, suppressed = split(findings, own, fleet.as_of)
    wrong = about(
        own,
        {each.by for each in suppressed},
        left,
        fleet.as_of,
        known={each.id for each in all_rules()},
        evaluated={each.id for each in selected},
    )
    left, theirs = split(left, of_others, fleet.as_of)
    return Judgement(
        dict(sorted(judged.items())),
        tuple(sorted({*left, *wrong})),
        tuple(sorted(unjudged)),
        (*suppressed, *theirs),
    )


def _evaluate(rule: Rule, fleet: Fleet) -> tuple[int, list[Verdict]]:
    """How many things a rule judges, and its verdicts on them."""
    kinds = rule.kinds
    things: Sequence[Judged] = (
        fleet.of(kinds[0]) if len(kinds) == 1 else [thing for thing in fleet.objects if isinstance(thing, kinds)]
    )
    verdicts: list[Verdict] = []
    with must_be_known(), others_print() if rule.is_own else nullcontext():
        for thing in things:
            try:
                for verdict in rule.ask(thing, fleet):
                    if not isinstance(verdict, Finding | NotEvaluated):
                        raise TypeError(f"it yields {type(verdict).__name__} in place of rule.finding(...)")  # noqa: TRY301
                    verdicts.append(verdict)
            except NotKnown as missing:
                verdicts.append(rule.not_evaluated(thing.place, missing.on(thing, rule.terms.later)))
            except Exception as cause:
                if rule.is_own:
                    own = rule.configured(Level.MANDATORY)
                    verdicts.append(own.finding(thing, got=raised(cause, rule.file), change=f"correct {rule.file}"))
                    continue
                raise RuleCrashed(rule.id, thing.place.resource or str(thing.ref), cause) from cause
    return len(things), verdicts


ABOUT_ADDONS = "addons"

DEFAULT_CONFIGURATION = Configuration()
"""The default configuration: every rule with the level and the options of its sheet."""


def judge_stack(
    opened: StackFile,
    fleet: Fleet,
    configuration: Configuration = DEFAULT_CONFIGURATION,
    *,
    crashes: list[RuleCrashed] | None = None,
) -> Judgement:
    """Evaluates the rules on a stack's cluster (`muster.policies.engine.described_fleet.described_fleet`, or the
    resources that its program registers).

    Where only the outputs of the cluster are known, only the rules about add-ons run: the cluster itself is judged with
    the stack that describes it.

    Args:
        opened: the stack; its `muster:policies` override the configuration.
        fleet: its cluster.
        configuration: the configuration of the rules.
        crashes: as in `judge`.

    Raises:
        RuleCrashed: a rule raised.
        Misconfigured: its `muster:policies` has faults.
    """
    rules = configuration.over(opened).rules
    if opened.by_outputs:
        rules = tuple(each for each in rules if each.topic == ABOUT_ADDONS)
    if accounts := opened.allowed_accounts:
        fleet = replace(fleet, allowed_accounts=accounts)
    if opened.beside:
        others = (each for each in opened.beside if each.document.file != opened.document.file)
        fleet = replace(fleet, uses=uses_of(opened), beside=tuple(map(uses_of, others)))
    return judge(fleet, opened.suppress, rules, (*opened.suppress_of_others, *configuration.suppress), crashes=crashes)


def unevaluated_addons(opened: StackFile, configuration: Configuration = DEFAULT_CONFIGURATION) -> Judgement:
    """The judgement of add-ons for an unknown cluster: the rules about add-ons are not evaluated."""
    assert isinstance(opened.described, AddonsOf)
    names = opened.described.addons.chosen
    resources = [f"addons.{name}" for name in (*names, *(f"charts.{each}" for each in opened.described.addons.charts))]
    rules = configuration.over(opened).rules
    about_addons = [rule for rule in rules if rule.topic == ABOUT_ADDONS and Addon in rule.kinds]
    missing = {
        NotEvaluated(rule.id, resource, opened.unknown_cluster) for rule in about_addons for resource in resources
    }
    return Judgement({rule.id: len(resources) for rule in about_addons}, (), tuple(sorted(missing)), ())
