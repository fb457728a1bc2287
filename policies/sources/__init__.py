"""Where a rule's source can be read: the words of a source, taken apart, and the public address of each document.

A source names documents, with `; ` between them. A part that names none goes on about the one before it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from policies.sources.amazon import AMAZON, SECURITY
from policies.sources.document import Document
from policies.sources.projects import OTHERS, OWN, PARALLELCLUSTER, REPOSITORIES

DOCUMENTS: tuple[Document, ...] = (*AMAZON, *PARALLELCLUSTER, *REPOSITORIES, *OTHERS, *SECURITY)
"""Every public document that a rule may name as its source."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One document of a source."""

    words: str
    document: Document | None
    """None where the words are of Muster's own, or of a document that is not known."""
    page: str
    """What the words say behind the document's name."""

    @property
    def url(self) -> str:
        """Its public address; empty where it has none."""
        return self.document.address(self.page) if self.document else ""


@cache
def url_of(source: str) -> str | None:
    """The public address of a source: of the first document in it that has one, None where none has."""
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
    """The document that words begin with, by its longest name, and what they say behind that."""
    best: tuple[Document | None, str] = (None, "")
    length = 0
    for document in DOCUMENTS:
        for name in document.names:
            if len(name) > length and re.match(rf"{re.escape(name)}(?![\w/-])", words):
                best, length = (document, words[len(name) :].lstrip(", ")), len(name)
    return best
