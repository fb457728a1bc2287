"""Kueue, and the kinds of jobs it looks after."""

from collections.abc import Iterator, Mapping

from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.addon import Kind
from policies.reading.part import Part, What
from policies.reading.parts import parts, parts_of
from policies.reading.unknowns import found_at
from policies.reading.versions import numbers
from policies.rule import Rule, Verdict, rule

_OFF_SINCE = (0, 19, 0)
_FRAMEWORK = "kubeflow.org/pytorchjob"


@rule(
    "kueue-manages-training-jobs",
    title="Beside the training operator Kueue manages PyTorchJobs",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="From 0.19 on Kueue leaves the kinds of the training operator alone unless its configuration names them: their "
    "jobs start at once, past every queue and quota.",
    source="kubernetes-sigs/kueue 6cdcd3828d, charts/kueue/values.yaml at v0.19.2",
    remedy="Name kubeflow.org/pytorchjob among the frameworks of Kueue's configuration.",
    facts=("addons.md#surprises-5",),
)
def kueue_manages_training_jobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    operators = [each.name for each in parts(fleet, What.TRAINING_OPERATOR)]
    for part in (each for each in mine if each.what is What.KUEUE and addon.chart == "kueue" and operators):
        said = found_at(part.values, "managerConfig", "controllerManagerConfigYaml")
        version = numbers(part.version)
        if isinstance(said, str):
            frameworks = _frameworks(said)
            if frameworks is None:
                yield rule.unjudged(
                    addon.place, f"the frameworks in the configuration of {part.name}, which is no YAML"
                )
            elif _FRAMEWORK not in frameworks:
                yield _finding(rule, part, operators[0], "its configuration does not name")
        elif version is None:
            yield rule.unjudged(addon.place, "Kueue's version")
        elif version >= _OFF_SINCE and addon.kind is Kind.MANIFEST:
            # Its configuration stands in the manifest, where a program may have transformed it.
            yield rule.unjudged(addon.place, f"the frameworks in the ConfigMap kueue-manager-config of {part.name}")
        elif version >= _OFF_SINCE:
            yield _finding(rule, part, operators[0], f"{part.version} does not by itself manage")


def _frameworks(text: str) -> set[str] | None:
    """The kinds of jobs that a configuration names; None where it is none that Kueue can read."""
    import yaml  # noqa: PLC0415  (only who has Kueue needs it: check must be fast)

    try:
        said = yaml.safe_load(text)
        named = ((said or {}).get("integrations") or {}).get("frameworks") or []
    except (yaml.YAMLError, AttributeError):
        return None
    return {str(each).lower() for each in named} if isinstance(named, list) and isinstance(said, Mapping) else None


def _finding(rule: Rule, part: Part, operator: str, what: str) -> Verdict:
    return rule.finding(
        part.addon.place,
        at="values",
        got=f"{part.name} beside {operator}: {what} {_FRAMEWORK}",
        remedy=f'name "{_FRAMEWORK}" under integrations.frameworks of managerConfig.controllerManagerConfigYaml, which '
        "is one text and stands there whole",
    )
