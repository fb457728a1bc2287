"""Where a rule's source can be read: the citations in a source, and the public address of each document.

A source names documents, separated by `; `. A part that names no document continues the one before it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from muster.policies.sources.amazon import AMAZON, SECURITY
from muster.policies.sources.document import Document
from muster.policies.sources.projects import OTHERS, OWN, PARALLELCLUSTER, REPOSITORIES

DOCUMENTS: tuple[Document, ...] = (*AMAZON, *PARALLELCLUSTER, *REPOSITORIES, *OTHERS, *SECURITY)
"""Every public document that a rule may name as its source."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One document of a source."""

    words: str
    document: Document | None
    """None if the words are Muster's own, or the document is not known."""
    page: str
    """The words after the document's name."""

    @property
    def url(self) -> str:
        """Its public address; empty if it has none."""
        return self.document.address(self.page) if self.document else ""


@cache
def url_of(source: str) -> str | None:
    """The public address of a source: that of its first document with an address, None if no document has one."""
    return next((each.url for each in citations(source) if each.url), None)


def citations(source: str) -> tuple[Citation, ...]:
    """The documents that a source names, in its order."""
    return tuple(_citations(source))


def _citations(source: str) -> Iterator[Citation]:
    before: Document | None = None
    for words in source.split("; "):
        if words.startswith(OWN):
            yield Citation(words, None, "")
            continue
        document, page = _named(words)
        if document is None:
            document, page = before, words
        yield Citation(words, document, page)
        before = document


def _named(words: str) -> tuple[Document | None, str]:
    """The document that words begin with, by its longest name, and the words after it."""
    best: tuple[Document | None, str] = (None, "")
    length = 0
    for document in DOCUMENTS:
        for name in document.names:
            if len(name) > length and re.match(rf"{re.escape(name)}(?![\w/-])", words):
                best, length = (document, words[len(name) :].lstrip(", ")), len(name)
    return best
