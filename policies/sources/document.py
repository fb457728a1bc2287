"""The target of a rule's source: a public document, and a page in it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ISSUE = re.compile(r"#(\d+)")


@dataclass(frozen=True, slots=True)
class Document:
    """A public document, with the names that sources use for it."""

    names: tuple[str, ...]
    home: str
    """Its start: the address for a source that names no page."""
    page: str = ""
    """The address of a page, with `{}` for the page's own part."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """The words that sources use for a page -> its part of the address. The longest match counts."""
    by_name: str = ""
    """A pattern of pages that sources cite by their own names: such a page needs no entry in `pages`."""
    issues: str = ""
    """The address of an issue, with `{}` for its number."""

    def address(self, words: str) -> str:
        """The address of what a source cites after the document's name."""
        if self.issues and (issue := _ISSUE.match(words)):
            return self.issues.format(issue.group(1))
        if known := self.words_of(words):
            return self.page.format(self.pages[known])
        if self.by_name and (named := re.match(self.by_name, words)):  # pattern: on the words of a rule
            return self.page.format(named.group())
        return self.home

    def words_of(self, words: str) -> str:
        """The key of `pages` that a source means; empty if there is none."""
        return max((each for each in self.pages if words.startswith(each)), key=len, default="")


def repository(
    name: str, *also: str, at: str = "", pages: Mapping[str, str] | None = None, folder: str = ""
) -> Document:
    """A repository on GitHub.

    Args:
        name: owner and name, which sources also use.
        also: other names that sources use for it.
        at: the tag or commit at which its files were read.
        pages: the words that sources use for a file -> its path below the folder.
        folder: the folder that contains the files.
    """
    address = f"https://github.com/{name}"
    below = f"/{folder}" if folder else ""
    home = f"{address}/tree/{at}{below}" if at else address
    return Document(
        (name, *also), home, f"{address}/blob/{at}{below}/{{}}", pages or {}, issues=f"{address}/issues/{{}}"
    )
