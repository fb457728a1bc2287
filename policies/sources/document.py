"""What a rule's source names: a public document, and the page of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ISSUE = re.compile(r"#(\d+)")


@dataclass(frozen=True, slots=True)
class Document:
    """A public document, by the names that sources give it."""

    names: tuple[str, ...]
    home: str
    """Where it begins: the address of a source that names no page of it."""
    page: str = ""
    """The address of a page, with `{}` for the page's own part."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """The words that sources have for a page -> its part of the address. The longest words that fit count."""
    by_name: str = ""
    """A pattern of pages that go by their own names: a page in it needs no words."""
    issues: str = ""
    """The address of an issue, with `{}` for its number."""

    def address(self, words: str) -> str:
        """Where to find what a source cites behind the document's name."""
        if self.issues and (issue := _ISSUE.match(words)):
            return self.issues.format(issue.group(1))
        if known := self.words_of(words):
            return self.page.format(self.pages[known])
        if self.by_name and (named := re.match(self.by_name, words)):
            return self.page.format(named.group())
        return self.home

    def words_of(self, words: str) -> str:
        """Which of `pages` a source means; empty where none."""
        return max((each for each in self.pages if words.startswith(each)), key=len, default="")


def repository(
    name: str, *also: str, at: str = "", pages: Mapping[str, str] | None = None, folder: str = ""
) -> Document:
    """A repository on GitHub.

    Args:
        name: owner and name, which sources say too.
        also: what else sources call it.
        at: the tag or commit that its files were read at.
        pages: the words that sources have for a file -> its path below the folder.
        folder: below which the files are.
    """
    address = f"https://github.com/{name}"
    below = f"/{folder}" if folder else ""
    home = f"{address}/tree/{at}{below}" if at else address
    return Document(
        (name, *also), home, f"{address}/blob/{at}{below}/{{}}", pages or {}, issues=f"{address}/issues/{{}}"
    )
