"""Whether a regular expression can take more than linear time on some text.

It can if two of its repeats, or a repeat and the place where a search begins, can divide a run of characters between
them in many ways. This is the test for an ambiguous automaton (Weber and Seidl, "On the degree of ambiguity of finite
automata", 1991): there are two states p and q, and a text that leads from p to p, from p to q, and from q to q.
"""

import re
from collections.abc import Iterator
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

_CHARACTERS = [*map(chr, range(128)), "é", "²", "٣", "中"]
_EDGE = 1 << len(_CHARACTERS)
"""The bit of the beginning and of the end of a text, beside the bits of the characters."""
_ALL, _MAY_FAIL = -1, ~_EDGE
_SINGLE = frozenset({"LITERAL", "NOT_LITERAL", "IN", "ANY", "CATEGORY"})
_FEW_CHARACTERS, _FEW_PARTS = 255, 16
"""A repeat with such a limit costs little."""
_State = tuple[int, int]
"""A node, and the characters that may follow."""


class _Automaton:
    def __init__(self, pattern: str, flags: int, *, searches: bool) -> None:
        self.edges: list[list[tuple[int, int, int]]] = [[]]
        """Node -> the next one, with the characters that may be before and behind."""
        self.moves: dict[int, tuple[int, int]] = {}
        """Node -> the characters that it reads, and the next node."""
        parsed = _parser.parse(pattern, flags)
        self.flags = parsed.state.flags
        if searches:
            self.moves[0] = ~_EDGE, 0
        self.end = self._add(list(parsed), self._after(0))

    def _set(self, op: Any, given: Any) -> int:
        if str(op) not in _SINGLE:
            return _ALL
        state = _parser.State()
        state.flags = self.flags
        matches = _compiler.compile(_parser.SubPattern(state, [(op, given)]), self.flags).fullmatch
        return sum(1 << bit for bit, each in enumerate(_CHARACTERS) if matches(each))

    def _after(self, *nodes: int, before: int = _ALL, behind: int = _ALL) -> int:
        self.edges.append([])
        for each in nodes:
            self.edges[each].append((len(self.edges) - 1, before, behind))
        return len(self.edges) - 1

    def _add(self, items: list[Any], at: int) -> int:
        for op, given in items:
            name = str(op)
            if name == "BRANCH":
                at = self._after(*[self._add(list(each), self._after(at)) for each in given[1]])
            elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
                at = self._add(list(given[-1] if name == "SUBPATTERN" else given), at)
            elif name.endswith("_REPEAT"):
                at = self._repeat(at, *given, possessive=name.startswith("POSSESSIVE"))
            elif name == "ASSERT_NOT" and given[0] < 0 and len(given[1]) == 1:
                at = self._after(at, before=~self._set(*given[1][0]) or _ALL)
            elif name.startswith("ASSERT") and given[0] < 0:
                at = self._after(at, before=self._set(*given[1][-1]) if name == "ASSERT" else _ALL)
            elif name.startswith("ASSERT"):
                self._add(list(given[1]), self._after(at))
                at = self._after(at, behind=_MAY_FAIL)
            elif name == "AT":
                at = self._anchor(at, str(given))
            else:
                at = self._after(at)
                self.moves[at] = self._set(op, given), self._after()
                at = self.moves[at][1]
        return at

    def _anchor(self, at: int, name: str) -> int:
        line = _EDGE | (1 << ord("\n") if self.flags & re.MULTILINE else 0)
        word = self._set(_constants.IN, [(_constants.CATEGORY, _constants.CATEGORY_WORD)])
        if name == "AT_BOUNDARY":
            sides = (word, ~word), (~word, word)
            return self._after(*[self._after(at, before=one, behind=other) for one, other in sides])
        beginning = name.startswith("AT_BEGINNING")
        return self._after(at, before=line) if beginning else self._after(at, behind=line | 1 << ord("\n"))

    def _repeat(self, at: int, least: int, most: Any, body: Any, *, possessive: bool) -> int:
        single = len(body) == 1 and str(body[0][0]) in _SINGLE
        for _ in range(min(least, 3) - 1):
            at = self._add(list(body), at)
        begin = self._after(at)
        end = self._add(list(body), begin)
        loops = most > (_FEW_CHARACTERS if single else _FEW_PARTS)
        if loops:
            self.edges[end].append((begin, _ALL, _ALL))
        at = self._after(end) if least else self._after(begin) if loops else self._after(end, begin)
        return self._after(at, behind=~self._set(*body[0])) if single and possessive else at

    def closure(self, node: int, before: int, behind: int = _ALL, path: tuple[int, ...] = ()) -> Iterator[_State]:
        """The states at a node behind a character; one as often as there are ways to it."""
        if node == self.end or (node in self.moves and self.moves[node][0] & behind):
            yield node, behind
        for target, one, other in self.edges[node]:
            if one & before and target not in path:
                yield from self.closure(target, before, behind & other, (*path, node))


def is_costly(pattern: str, flags: int = 0, *, searches: bool, whole: bool) -> bool:
    """Whether some text makes a pattern slow.

    Args:
        pattern: the regular expression.
        flags: its flags.
        searches: whether a match may begin anywhere.
        whole: whether a match must have the whole text, so that a part of it is no success.
    """
    automaton = _Automaton(pattern, flags, searches=searches)
    sets = {reads for reads, _ in automaton.moves.values()}
    sets |= {each for edges in automaton.edges for _, *filters in edges for each in filters}
    letters = {tuple(each >> bit & 1 for each in sets): 1 << bit for bit in range(len(_CHARACTERS))}.values()
    steps: dict[_State, dict[int, list[_State]]] = {}
    waiting = list(automaton.closure(0, _EDGE))
    while waiting:
        state = waiting.pop()
        if state in steps:
            continue
        reads, target = automaton.moves.get(state[0], (0, 0))
        steps[state] = {each: list(automaton.closure(target, each)) for each in letters if each & reads & state[1]}
        waiting += [each for found in steps[state].values() for each in found]
    reach = {state: _reached(state, steps) for state in steps}
    loops = [state for state in steps if state in reach[state]]
    accepts = (automaton.end, _ALL)
    for p in loops:
        for found in steps[p].values():
            if any(found.count(each) > 1 and p in reach[each] for each in found):
                return True
        for q in loops:
            if p != q and q in reach[p] and _meets(p, q, steps, reach, None if whole else accepts):
                return True
    return False


def _reached(state: _State, steps: dict[_State, dict[int, list[_State]]]) -> set[_State]:
    found: set[_State] = set()
    waiting = [state]
    while waiting:
        new = {each for listed in steps[waiting.pop()].values() for each in listed} - found
        found |= new
        waiting += new
    return found


def _meets(p: _State, q: _State, steps: Any, reach: Any, accepts: _State | None) -> bool:
    seen, waiting = set(), [(p, p, q)]
    while waiting:
        one, two, three = waiting.pop()
        for letter in steps[one].keys() & steps[two].keys() & steps[three].keys():
            ways = steps[one][letter], steps[two][letter], steps[three][letter]
            if accepts in ways[1] or accepts in ways[2]:
                continue  # a match ends here: nothing is tried again
            for a in ways[0]:
                for b in ways[1]:
                    for c in ways[2]:
                        if (a, b, c) == (p, q, q):
                            return True
                        if (a, b, c) not in seen and p in reach[a] and q in reach[b] and q in reach[c]:
                            seen.add((a, b, c))
                            waiting.append((a, b, c))
    return False
