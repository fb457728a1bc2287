"""Builds the documentation site: `python -m tools.site [--serve]` writes `build/site`.

It copies `docs/` to `build/docs`, adds the generated pages, adds those of the rules to the navigation, runs Zensical on
the copy, and checks every link and anchor of the result. In the copy, links to files outside `docs/` become links to
the repository. The schemas are also below `schema/VERSION/`, the address in their `$id`. No page makes a request to
another host, and the pages also work from a disk.
"""

import argparse
import functools
import http.server
import json
import os
import re
import shutil
import sys
from pathlib import Path

from muster import child_process
from muster.addresses import REPOSITORY, SCHEMA_VERSION
from tools import pages, site_links

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
STAGE = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
_LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")


def staged(page: Path, text: str) -> str:
    """A page of the site. Code keeps its links.

    Args:
        page: its path.
        text: its text in `docs/`.
    """
    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.DOTALL | re.MULTILINE)
    made = functools.partial(_leads_outside, page)
    return "".join(part if index % 2 else _LINK.sub(made, part) for index, part in enumerate(parts))


def _leads_outside(page: Path, link: re.Match[str]) -> str:
    """The link. For a file that is not on the site, its address in the repository."""
    target = Path(os.path.normpath(page.parent / link[1]))
    if target.is_relative_to(DOCS) and not target.is_dir():
        return link[0]
    kind = "tree" if target.is_dir() else "blob"
    return f"{REPOSITORY}/{kind}/main/{target.relative_to(ROOT)}{link[2] or ''}"


def stage() -> None:
    """Writes `build/docs`."""
    shutil.rmtree(STAGE, ignore_errors=True)
    shutil.copytree(DOCS, STAGE)
    shutil.copytree(DOCS / "schema", STAGE / "schema" / SCHEMA_VERSION)
    pages.write(STAGE)
    for page in STAGE.rglob("*.md"):
        text = staged(DOCS / page.relative_to(STAGE), page.read_text(encoding="utf-8"))
        page.write_text(text, encoding="utf-8")


def build() -> None:
    """Writes `build/site`. Ends the program if a link or an anchor is broken."""
    stage()
    index, rules = '    "rules/README.md",\n', pages.rules()
    nav = index
    for topic, title in rules["topics"].items():
        listed = [f"rules/{topic}/{each.id}.md" for each in rules["rules"] if each.topic == topic]
        nav += f"    {{ {json.dumps(title)} = {json.dumps(listed)} }},\n"
    configuration = ROOT / "build" / "zensical.toml"
    text = (ROOT / configuration.name).read_text(encoding="utf-8").replace('_dir = "build/', '_dir = "')
    before, after = text.split(index)
    configuration.write_text(before + nav + after, encoding="utf-8")
    shutil.rmtree(SITE, ignore_errors=True)
    zensical = child_process.PYTHON.with_name("zensical")
    command = [zensical, "build", "--clean", "--strict", "--config-file", configuration]
    if child_process.run(command, cwd=ROOT, env={**os.environ, "NO_COLOR": "1"}, show=True).returncode:
        sys.exit("Zensical did not build the site: see the warnings above")
    if broken := list(site_links.broken(SITE)):
        sys.exit("\n".join(broken))


def main() -> None:
    """Builds the site, and serves it with `--serve`."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--serve", action="store_true", help="Serve the site on this machine afterwards.")
    options.add_argument("--port", type=int, default=8000, help="Port to serve on. Default: 8000.")
    chosen = options.parse_args()
    build()
    print(f"{SITE.relative_to(ROOT)}: {len(list(SITE.rglob('*.html')))} pages")
    if chosen.serve:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
        print(f"http://127.0.0.1:{chosen.port}/", flush=True)
        http.server.ThreadingHTTPServer(("127.0.0.1", chosen.port), handler).serve_forever()


if __name__ == "__main__":
    main()
