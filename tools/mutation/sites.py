"""Which mutants a file has: mutmut's mutations of each node, and conditions turned round.

No mutant is made of what no test has to hold: docstrings, annotations, imports, assertions (they tell mypy what is so),
words for people (a text with a blank in it: tests of wording compare those whole), a rule's sheet, which is such words.
Nor of what mypy, which is strict here, refuses before any test runs: None for an argument or a value, a call that lacks
one. Thousands of those would be killed, and say nothing of the tests.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation import mutators

_FOR_TYPES = {"isinstance", "cast", "TypeVar"}
_REFUSED_BY_MYPY = {mutators.operator_assignment, mutators.operator_arg_removal, mutators.operator_dict_arguments}
_WORDS = {"got", "remedy", "description"}
_OPERATORS = [(kind, make) for kind, make in mutators.mutation_operators if make not in _REFUSED_BY_MYPY]


@dataclass(frozen=True)
class Mutant:
    """One change to one file."""

    file: str
    number: int
    """Counted within the file: with the file it names the mutant."""
    line: int
    last: int
    """The last line of the statement that was changed, which may be longer than a line."""
    inside: str
    """What the change stands in: ``function``, ``class`` or ``module``."""
    what: str
    """Before and after, on one line."""
    source: str
    """The file with the change."""

    @property
    def name(self) -> str:
        """Unique among all mutants, and the same on every run over the same code."""
        return f"{self.file}:{self.line} #{self.number}"


class Sites:
    """The mutants of one file, made one at a time: their sources together would not fit in memory."""

    def __init__(self, root: Path, file: str) -> None:
        self.file = file
        wrapper = MetadataWrapper(_parsed(root, file), unsafe_skip_copy=True)
        self._module = wrapper.module
        self._at = wrapper.resolve(PositionProvider)
        self._parent = wrapper.resolve(ParentNodeProvider)
        self._found = _found(self._module)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Mutant]:
        return (self.mutant(number) for number in range(len(self)))

    def inside(self, number: int) -> str:
        """What a mutant's change stands in, without making it."""
        node: cst.CSTNode | None = self._found[number][0]
        while node is not None:
            if isinstance(node, cst.FunctionDef | cst.Lambda):
                return "function"
            if isinstance(node, cst.ClassDef):
                return "class"
            node = self._parent.get(node)
        return "module"

    def mutant(self, number: int) -> Mutant:
        """The mutant of that number."""
        before, after = self._found[number]
        at = self._statement(before)
        changed = self._module.deep_replace(before, after)
        assert isinstance(changed, cst.Module)
        words = (" ".join(self._module.code_for_node(node).split()) for node in (before, after))
        line = self._at[before].start.line if before in self._at else at.start.line
        return Mutant(self.file, number, line, at.end.line, self.inside(number), "  ->  ".join(words), changed.code)

    def _statement(self, node: cst.CSTNode) -> CodeRange:
        """Where the smallest statement around a node stands; of a block (`if`, `for`), the node's own place."""
        own = node
        while not isinstance(node, cst.SimpleStatementLine):
            up = self._parent.get(node)
            if up is None or isinstance(up, cst.BaseCompoundStatement | cst.BaseSuite):
                return self._at[own] if own in self._at else self._at[node]
            node = up
        return self._at[node]


def count(root: Path, file: str) -> int:
    """How many mutants a file has. Where they stand, which is dear to know, is not asked."""
    return len(_found(_parsed(root, file)))


def _parsed(root: Path, file: str) -> cst.Module:
    return cst.parse_module((root / file).read_text(encoding="utf-8"))


def _found(module: cst.Module) -> list[tuple[cst.CSTNode, cst.CSTNode]]:
    finder = _Finder()
    module.visit(finder)
    return finder.found


class _Finder(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _of_no_interest(node):
            return False
        for kind, make in _OPERATORS:
            if isinstance(node, kind):
                after = list(make(node))
                # Of a text one change is enough: a test that sees XX sees capitals.
                self.found += [(node, each) for each in (after[:1] if make is mutators.operator_string else after)]
        if isinstance(node, cst.Call):
            self.found += [(node, each) for each in _without_an_option(node)]
        if isinstance(node, cst.If | cst.CompIf | cst.While) and not _is_turned_by_mutmut(node.test):
            self.found.append((node.test, _turned(node.test)))
        return True


def _without_an_option(node: cst.Call) -> Iterator[cst.Call]:
    """The call without one of its named arguments: most have defaults."""
    for index, given in enumerate(node.args):
        if given.keyword is not None and given.keyword.value not in _WORDS:
            yield node.with_changes(args=[*node.args[:index], *node.args[index + 1 :]])


def _is_turned_by_mutmut(test: cst.BaseExpression) -> bool:
    exact = (cst.Is, cst.IsNot, cst.In, cst.NotIn, cst.Equal, cst.NotEqual)
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        return isinstance(test.comparisons[0].operator, exact)
    return isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not)


def _turned(test: cst.BaseExpression) -> cst.BaseExpression:
    """A condition that holds where it did not. In brackets: what stands in it may bind less than `not`."""
    bracketed = test.with_changes(lpar=[cst.LeftParen(), *test.lpar], rpar=[*test.rpar, cst.RightParen()])
    return cst.UnaryOperation(cst.Not(), bracketed, lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _of_no_interest(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Annotation | cst.Import | cst.ImportFrom | cst.Decorator | cst.FormattedStringText):
        return True
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return node.func.value in _FOR_TYPES
    if isinstance(node, cst.SimpleString):
        return " " in node.value or node.value.startswith(('"""', 'r"""'))
    if isinstance(node, cst.ConcatenatedString | cst.Assert):
        return True
    # A docstring is a statement that is nothing but a text.
    if isinstance(node, cst.Expr):
        return isinstance(node.value, cst.SimpleString | cst.ConcatenatedString)
    return isinstance(node, cst.Assign) and (_is_list_of_names(node) or _is_type(node))


def _is_list_of_names(node: cst.Assign) -> bool:
    """``__all__``, which linters hold to what there is."""
    return isinstance(first := node.targets[0].target, cst.Name) and first.value == "__all__"


def _is_type(node: cst.Assign) -> bool:
    """``Verdict = Finding | NotEvaluated``: a type by another name."""
    value = node.value
    while isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.BitOr):
        value = value.right
    first = node.targets[0].target
    named = isinstance(first, cst.Name) and first.value[0].isupper() and not first.value.isupper()
    return named and isinstance(value, cst.Name | cst.Subscript | cst.Attribute)
