"""A release: one version in all places, and a workflow whose actions are pinned."""

import re
import tomllib
from typing import Any

import yaml

from muster import __version__, addresses
from muster.cli.writers import json_schema
from tests.stack_files import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
PROJECT: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGES = {page: page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))}


def test_the_documentation_names_no_version_that_is_not_released() -> None:
    """Where it pins the Action, the hooks or a wheel. The changelog has a section for each release."""
    pins = r"muster-clusters/muster@v([\d.]+\d)|rev: v([\d.]+\d)|muster_clusters-([\d.]+\d)-py3"
    found = {"".join(each) for text in PAGES.values() for each in re.findall(pins, text)}
    assert found <= {*re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)}


def test_addresses_are_the_same_everywhere() -> None:
    urls = PROJECT["project"]["urls"]
    assert urls["Repository"] == addresses.REPOSITORY
    assert urls["Documentation"] == addresses.SITE
    assert urls["Changelog"].startswith(f"{addresses.REPOSITORY}/")
    assert not [page for page, text in PAGES.items() if "OWNER/muster" in text]


def test_each_schema_has_its_address() -> None:
    """The site publishes docs/schema below /schema/VERSION/."""
    minor = re.match(r"\d+\.\d+", __version__)
    assert minor
    for name, make in json_schema.SCHEMAS.items():
        assert make()["$id"] == f"{addresses.SITE}/schema/{minor[0]}/{name}.json"


def test_the_version_is_read_from_the_package() -> None:
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["setuptools"]["dynamic"] == {"version": {"attr": "muster.__version__"}}
    assert PROJECT["tool"]["towncrier"]["package"] == "muster"


def test_fragments_of_the_changelog_have_a_known_type() -> None:
    known = {each["directory"] for each in PROJECT["tool"]["towncrier"]["type"]}
    for file in (ROOT / "changelog.d").glob("*.md"):
        assert file.name.split(".")[-2] in known, file


def test_actions_of_the_release_are_pinned_by_commit() -> None:
    """With the release in a comment."""
    uses = re.findall(r"uses: (.*)", WORKFLOW.read_text(encoding="utf-8"))
    assert uses
    assert [each for each in uses if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)] == []


def test_what_runs_code_of_packages_cannot_publish() -> None:
    """The job that runs tests and builds reads the repository; each other one has its own right."""
    workflow: Any = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    rights = {name: job["permissions"] for name, job in workflow["jobs"].items()}
    assert workflow["permissions"] == {}
    assert rights == {
        "build": {"contents": "read"},
        "attest": {"id-token": "write", "attestations": "write"},
        "pypi": {"id-token": "write"},
        "github": {"contents": "write"},
    }
    assert "${{" not in "".join(step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"])
