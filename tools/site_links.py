"""Finds broken links and anchors of a built site, and requests to other hosts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADS = {"img": "src", "script": "src", "iframe": "src", "source": "src", "link": "href"}
"""Elements that a browser loads by itself, and the attribute with the address."""
_NOT_LOADED = {"canonical", "next", "prev", "alternate"}
"""Relations of `link` that load nothing."""


@dataclass
class _Page(HTMLParser):
    """The anchors of a page, its links, and the addresses that it loads."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Adds the anchors and addresses of one element."""
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in _LOADS and _LOADS[tag] in values and values.get("rel") not in _NOT_LOADED:
            self.loads.append(values[_LOADS[tag]])


def broken(site: Path) -> Iterator[str]:
    """A line for each broken link and each request to another host."""
    pages = {file.resolve(): _read(file) for file in sorted(site.rglob("*.html"))}
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # its addresses start at the root of the site
        where = file.relative_to(site.resolve())
        yield from (f"{where}: loads {each} from another host" for each in page.loads if urlsplit(each).netloc)
        for link in dict.fromkeys([*page.links, *page.loads]):
            address = urlsplit(link)
            if address.scheme or address.netloc:
                continue
            target = (file.parent / unquote(address.path)).resolve() if address.path else file
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{where}: {link}: the file does not exist"
            elif address.fragment and target in pages and unquote(address.fragment) not in pages[target].anchors:
                yield f"{where}: {link}: the page does not have the anchor"


def _read(file: Path) -> _Page:
    page = _Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page
