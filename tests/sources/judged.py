"""Files of other tools, and what is said of them.

`files/` has a sound file of each format, and in `whole/` files with most of the keys that readers read. They are
modelled on published ones: eksctl's examples, the EKS user guide's node templates, aws-samples' awsome-distributed-
training, the integration tests of aws-parallelcluster, the examples of karpenter-provider-aws, and what AWS CDK writes.
"""

import json
from datetime import date
from pathlib import Path

from muster.cli.findings import StackReport
from muster.cli.rule_selection import RuleSelection
from muster.cli.source_files import judge_sources
from muster.policies.engine.configuration import Configuration
from muster.sources.recognition import recognize
from muster.sources.source import InputFile, Source
from muster.yaml_text import load_all
from tests.stack_files import AS_OF, ROOT

FOLDER = Path(__file__).parent / "files"
EXAMPLES = ROOT / "examples" / "other-tools"
SOUND = {each.name: each for each in sorted(FOLDER.iterdir()) if each.is_file()}

Edit = tuple[str, str]


def a_file(text: str, name: str | Path = "file.yaml") -> InputFile:
    """A file with this text."""
    is_json = str(name).endswith("json")
    documents = (json.loads(text),) if is_json else tuple(load_all(text, template=True))
    return InputFile(Path(name), text, documents, is_json)


def changed(name: str, *edits: Edit) -> InputFile:
    """A sound file with parts replaced, each by its first appearance; an empty text stands for the end of the file."""
    text = SOUND[name].read_text(encoding="utf-8")
    for before, after in edits:
        assert before in text, before
        text = text.replace(before, after, 1) if before else text + after
    return a_file(text, name)


def read(file: InputFile) -> Source:
    """What the reader of its format makes of a file."""
    return recognize(file).read(file)


def report(file: InputFile) -> StackReport:
    """What `muster check` says of a file."""
    how = RuleSelection(Configuration())
    (made,) = judge_sources([(file, recognize(file))], how, date.fromisoformat(AS_OF))
    assert made.bugs == ()
    return made


def said(file: InputFile) -> set[tuple[str, str]]:
    """Rules that find something, with the line of the file; of a block of JSON, that of its first key."""
    lines = [each.strip().rstrip(",") for each in file.text.splitlines()]
    numbers = [(each.rule, each.where.line) for each in report(file).findings]
    return {(rule, lines[line] if lines[line - 1] == "{" else lines[line - 1]) for rule, line in numbers}


def unsaid(file: InputFile) -> set[tuple[str, str]]:
    """Rules that are not evaluated, with the part of the file."""
    return {(each.rule, each.resource) for each in report(file).not_evaluated}
