"""Asks all topics at once: in rounds, as answers lead to further questions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from muster.account.answer import Answer, Reason, Unanswered
from muster.account.ask import Ask, Inquiry
from muster.account.question import Key, Question
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.facts import Facts
from muster.fleet.kept_facts import Step


@dataclass(frozen=True, slots=True)
class Heard:
    """What all topics together come to."""

    facts: Facts
    said: tuple[Said, ...]
    unanswered: tuple[Answer, ...]
    """Each with its reason; nothing of it is in the facts."""
    open: frozenset[Step] = frozenset()
    """What of facts was asked for and not answered, where it is not in these: sections whole, or what is in them."""


def hear(topics: Iterable[Topic], wanted: Wanted, ask: Ask) -> Heard:
    """Puts the questions of all topics, round by round, each round side by side."""
    asking = tuple(topics)
    inquiries = [topic.inquire(wanted) for topic in asking]
    silent: set[int] = set()
    learned: dict[int, Learned] = {}
    answers: dict[Key, Answer] = {}
    waiting = dict(enumerate(map(_begun, inquiries)))
    while waiting:
        asked = [question for turn in waiting.values() for question in _questions(turn)]
        told = dict(zip((each.key for each in asked), ask(asked), strict=True)) if asked else {}
        answers |= told
        going: dict[int, Turn] = {}
        for number, turn in waiting.items():
            if isinstance(turn, Learned):
                learned[number] = turn
                continue
            heard = [told[each.key] for each in turn]
            if not all(each.answered for each in heard):
                silent.add(number)
            try:
                going[number] = _sent(inquiries[number], heard)
            except ValidationError as fault:
                silent.add(number)
                going[number] = Learned()
                answers |= {each.question.key: _senseless(each, fault) for each in heard if each.answered}
        waiting = going
    every = [learned[number] for number in sorted(learned)]
    return Heard(
        together(each.facts for each in every),
        tuple(line for each in every for line in each.said),
        tuple(each for each in answers.values() if not each.answered),
        frozenset().union(*(_open(asking[number], learned[number], silent=number in silent) for number in learned)),
    )


def _senseless(answer: Answer, fault: ValidationError) -> Answer:
    """An answer of the right form that no fact can be made of: it is none, whatever it says."""
    first = fault.errors()[0]
    words = " ".join(f"what came cannot be taken as a fact: {first['msg']}".split())
    return Answer(answer.question, unanswered=Unanswered(Reason.UNREADABLE, words), calls=answer.calls)


def _open(topic: Topic, learned: Learned, *, silent: bool) -> frozenset[Step]:
    if learned.open is not None:
        return learned.open
    return frozenset((section,) for section in topic.of) if silent else frozenset()


Turn = Sequence[Question] | Learned


def _begun(inquiry: Inquiry[Learned]) -> Turn:
    try:
        return next(inquiry)
    except StopIteration as end:
        return _learned(end)


def _sent(inquiry: Inquiry[Learned], answers: Sequence[Answer]) -> Turn:
    try:
        return inquiry.send(answers)
    except StopIteration as end:
        return _learned(end)


def _learned(end: StopIteration) -> Learned:
    assert isinstance(end.value, Learned)
    return end.value


def _questions(turn: Turn) -> Sequence[Question]:
    return () if isinstance(turn, Learned) else turn


def together(parts: Iterable[Facts]) -> Facts:
    """Several facts as one: maps are joined by key, and of one thing what each part knows."""
    joined: dict[str, object] = {}
    for part in parts:
        _join(joined, part.model_dump(mode="json", by_alias=True, exclude_defaults=True))
    return Facts.model_validate(joined)


def _join(into: dict[str, object], more: dict[str, object]) -> None:
    for key, value in more.items():
        held = into.get(key)
        if isinstance(held, dict) and isinstance(value, dict):
            _join(held, value)
        else:
            into[key] = value
