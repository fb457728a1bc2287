"""Whether who asks may do what the deployment takes, as far as IAM's simulation knows."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

from muster.account.actions import actions, resource
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.identity import WHO, Identity, identity_of
from muster.account.question import Question
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.facts import Facts

ABOUT = "rights of who asks"


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    (caller,) = yield [WHO]
    identity = identity_of(caller)
    if identity is None:
        return Learned()
    source: str | None = identity.arn if identity.user else None
    if identity.role:
        # The ARN of a session does not say the role's path (IAM Identity Center's roles have one).
        (role,) = yield [_role(identity.role)]
        source = role.result["Role"]["Arn"] if role.result else None
        if source is None:
            return Learned()
    if source is None:
        return Learned(said=(Said(ABOUT, f"not asked: IAM simulates users and roles, not {identity.words}"),))
    questions = _questions(source, identity, wanted)
    answers = yield questions
    asked = [name for each in questions for name in each.parameters["ActionNames"]]
    told = {each["EvalActionName"]: _allowed(each) for answer in answers for each in _results(answer)}
    known = {action: told.get(action) for action in sorted(asked)}
    open_ = frozenset(("permissions", action) for action in asked if action not in told)
    return Learned(Facts(permissions=known), _said(known, told.keys()), open_)


def _role(name: str) -> Question:
    return Question("iam", "GetRole", f"role {name}", {"RoleName": name}, absent=frozenset({"NoSuchEntity"}))


def _questions(source: str, identity: Identity, wanted: Wanted) -> list[Question]:
    """One for each thing that actions are on: a policy that allows an action on some things alone denies it on all."""
    by_thing: dict[str, list[str]] = {}
    for action, on in actions(wanted.blueprint).items():
        thing = resource(on, partition=identity.partition, account=identity.account, blueprint=wanted.blueprint)
        by_thing.setdefault(thing, []).append(action)
    return [_question(source, names, thing, wanted) for thing, names in by_thing.items()]


def _question(source: str, names: Sequence[str], thing: str, wanted: Wanted) -> Question:
    region = {"ContextKeyName": "aws:RequestedRegion", "ContextKeyValues": [wanted.region], "ContextKeyType": "string"}
    return Question(
        "iam",
        "SimulatePrincipalPolicy",
        f"{ABOUT} on {thing}" if thing != "*" else ABOUT,
        {"PolicySourceArn": source, "ActionNames": names, "ResourceArns": [thing], "ContextEntries": [region]},
    )


def _results(answer: Answer) -> Sequence[Mapping[str, Any]]:
    return answer.result.get("EvaluationResults", ()) if answer.result else ()


def _allowed(result: Mapping[str, Any]) -> bool | None:
    """None where nothing allows it but under a condition that the simulation knows nothing of (a tag, an address), or
    where AWS does not say whether there is one: in the result, or in those of its resources."""
    decision = result["EvalDecision"]
    if decision == "implicitDeny":
        parts = [result, *result.get("ResourceSpecificResults", ())]
        lacking = [each["MissingContextValues"] for each in parts if "MissingContextValues" in each]
        if not lacking or any(lacking):
            return None
    return bool(decision == "allowed")


def _said(known: Mapping[str, bool | None], told: Container[str]) -> tuple[Said, ...]:
    """One line; none where nothing was answered.

    Args:
        known: every action that was asked about.
        told: those of which there was an answer.
    """
    if not any(action in told for action in known):
        return ()
    denied = [action for action, allowed in known.items() if allowed is False]
    open_ = [action for action, allowed in known.items() if allowed is None and action in told]
    untold = [action for action in known if action not in told]
    parts = [f"{sum(each is True for each in known.values())} of {len(known)} actions allowed"]
    parts += [f"denied: {', '.join(denied)}"] if denied else []
    parts += [f"not known, as a policy's condition decides: {', '.join(open_)}"] if open_ else []
    parts += [f"not answered: {', '.join(untold)}"] if untold else []
    return (Said(ABOUT, "; ".join(parts)),)


PERMISSIONS = Topic(
    "permissions",
    _inquire,
    frozenset({"permissions"}),
    {"iam:GetRole": "*", "iam:SimulatePrincipalPolicy": "*"},
    {"sts.GetCallerIdentity": ("iam.GetRole", "iam.SimulatePrincipalPolicy")},
)
