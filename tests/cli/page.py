"""An HTML page as a tree, read strictly: what does not nest, or is closed twice, is a fault."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Self

from muster.cli.writers.rehearsal_html import write
from muster.rehearsal.outcome import Outcome

_VOID = frozenset({"meta", "br", "hr", "img", "link", "input"})


@dataclass
class Element:
    """One element."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    inside: list["Element | str"] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """As they are written."""
        return (self.attributes.get("class") or "").split()

    @property
    def text(self) -> str:
        """All of it, white space as a browser shows it."""
        return " ".join("".join(self._texts()).split())

    @property
    def children(self) -> list["Element"]:
        """Elements right below."""
        return [each for each in self.inside if isinstance(each, Element)]

    def all(self, tag: str = "", **wanted: str) -> list["Element"]:
        """Every element below, with this tag, class (`of`) and attributes, in order."""
        of = wanted.pop("of", "")
        return [
            each
            for each in self._below()
            if (not tag or each.tag == tag)
            and (not of or of in each.classes)
            and all(each.attributes.get(key) == value for key, value in wanted.items())
        ]

    def one(self, tag: str = "", **wanted: str) -> "Element":
        """The only such element."""
        (found,) = self.all(tag, **wanted)
        return found

    def rows(self) -> list[list[str]]:
        """A table's rows as text, its heads among them."""
        return [[cell.text for cell in row.children] for row in self.all("tr")]

    def shape(self) -> tuple[object, ...]:
        """Tags and names of attributes all the way down, without any text."""
        return (self.tag, *sorted(self.attributes), *(each.shape() for each in self.children))

    def _below(self) -> Iterator["Element"]:
        for each in self.children:
            yield each
            yield from each._below()

    def _texts(self) -> Iterator[str]:
        for each in self.inside:
            yield each if isinstance(each, str) else "".join(each._texts())


class Page(HTMLParser):
    """Reads a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("page")
        self._open = [self.root]

    @classmethod
    def read(cls, text: str) -> Element:
        """The page's tree."""
        page: Self = cls()
        page.feed(text)
        page.close()
        assert [each.tag for each in page._open] == ["page"], "something was never closed"
        return page.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Goes in."""
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute of {tag} stands twice"
        element = Element(tag, dict(attrs))
        self._open[-1].inside.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """SVG's empty elements."""
        self._open[-1].inside.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Goes out."""
        assert self._open[-1].tag == tag, f"</{tag}> closes <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        """Text."""
        self._open[-1].inside.append(data)


def read(outcome: Outcome) -> Element:
    """The page of a rehearsal as a tree."""
    return Page.read(write(outcome))
