"""A copy of a stack keeps the comments that are still true, and no other."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.cli.init.choices import CapacityKind, NewNetwork, ReservedCapacity
from muster.cli.init.copy_stack import CopyChanges, copied_text, other_zones, zones_of
from muster.cli.init.stack_document import stack_text as written
from muster.cli.init.yaml_editor import Comment, column, comments_above, comments_on_line, find_comments
from tests.fleet.new_stack.strategies import choices
from tests.fleet.new_stack.test_copied import FILE, STACKS, data, groups_of
from tests.stack_files import filled_in, text_of

BROKEN = """\
# of nothing

a: 1 # beside
     # and more of it
# above
b: 2
  # of what follows
  c: 3 # beside that
"""


def test_a_line_break_before_everything_moves_all_and_changes_nothing() -> None:
    """What stands in the first line stands as that of every other."""
    for text in (BROKEN, BROKEN[2:], BROKEN[BROKEN.index("a:") :]):
        moved = f"\n{text}"
        every, later = find_comments(text, ()), find_comments(moved, ())
        assert later == [Comment(each.start + 1, each.end + 1, each.own_line) for each in every]
        assert [column(moved, index + 1) for index in range(len(text))] == [
            column(text, index) for index in range(len(text))
        ]
        for index in range(len(text)):
            for found in (comments_on_line, comments_above):
                told = [text[each.start : each.end] for each in found(text, every, index)]
                assert [moved[each.start : each.end] for each in found(moved, later, index + 1)] == told
    assert [column("\n# b", index) for index in range(4)] == [0, 0, 1, 2]


ORIGINAL = """\
# yaml-language-server: $schema=../docs/schema/stack.json
# About the whole file: us-west-2, cr-0a1b2c3d4e5f60718.
#
# More of that.
config:
  # why this Region
  aws:region: us-west-2 # near us
  muster:cluster:
    # which service
    backend: eks # kept: "a string" # in it
    kubernetes: "1.35" # the newest
    # two clusters of one name are one
    name: theirs # for good
    # not of what follows

    control-plane: create # in us-west-2, as all of ours
    # ours
    # since 2024, in us-west-2c too
    api: {public: [203.0.113.0/24]} # the office
    access:
      - {principal: "arn:aws:iam::210987654321:role/ml", policy: cluster-admin} # their role
      - {principal: "arn:aws:iam::111122223333:role/#ml", policy: view} # everybody
    network: # theirs
      existing: # chosen long ago
        vpc: vpc-0123456789abcdef0 # because
        private: # kept
          us-west-2a: subnet-0123456789abcdef0 # wide
          # narrow
          us-west-2b: subnet-0123456789abcdef1
    groups:
      # the trainers
      workers: # of the LLM team
        for: training
        # the fastest
        instance: p5.48xlarge # eight GPUs
        nodes: 1 # one is enough
                 # for now
        # next to it
        zone: us-west-2a # where it is
        # paid for
        capacity: # in full
          reservation: # until May
            id: cr-0a1b2c3d4e5f60718
            zone: us-west-2a
            count: 1
            provided-by: aws # as a favour
        local-storage: raid0 # p5.48xlarge has 8 disks
        volume: {size: 300GiB} # images are large
        tags:
          note: 'no # comment, us-west-2'
          team: llm # 111122223333 pays
"""

COPY = """\
# yaml-language-server: $schema=../docs/schema/stack.json
# Copied from stack original by `muster init`; the comment below is the original's.
# About the whole file: us-west-2, cr-0a1b2c3d4e5f60718.
#
# More of that.
config:
  aws:region: us-east-1
  muster:cluster:
    # which service
    backend: eks # kept: "a string" # in it
    kubernetes: "1.35" # the newest
    # not of what follows

    control-plane: create
    api: {public: [203.0.113.0/24]} # the office
    access:
      - {principal: "arn:aws:iam::111122223333:role/ml", policy: cluster-admin}
      - {principal: "arn:aws:iam::111122223333:role/#ml", policy: view} # everybody
    network:
      existing: # chosen long ago
        vpc: vpc-fill-me-in
        private: # kept
          us-east-1c: subnet-fill-me-in-private-c
          us-east-1a: subnet-fill-me-in-private-a
    groups:
      # the trainers
      workers: # of the LLM team
        for: training
        instance: p5en.48xlarge # the type of cr-0b1b2c3d4e5f60718
        nodes: 7 # all instances of the capacity
        zone: us-east-1c
        capacity:
          reservation:
            id: cr-0b1b2c3d4e5f60718
            # cr-0b1b2c3d4e5f60718 is in us-east-1c (use1-az2), so the workers' subnet must also be in this zone
            zone: us-east-1c
            count: 7 # all instances that it holds
            provided-by: you
            placement-group: ml # the placement group of cr-0b1b2c3d4e5f60718
        local-storage: raid0
        volume: {size: 300GiB} # images are large
        tags:
          note: "no # comment, us-east-1"
          team: llm # 111122223333 pays
"""

HELD = ReservedCapacity(
    CapacityKind.RESERVATION,
    "cr-0b1b2c3d4e5f60718",
    "p5en.48xlarge",
    "us-east-1c",
    7,
    7,
    "use1-az2",
    placement_group="ml",
)
EASTERN = {"us-west-2a": "us-east-1c", "us-west-2b": "us-east-1a"}
WORKERS = ("groups", "workers")


def test_comments_go_with_what_they_are_about() -> None:
    """Every line of one, to the letter: beside and above what is another, and what names what is no more."""
    exchange = CopyChanges(
        "original", "us-east-1", EASTERN, WORKERS, HELD, 7, why_nodes="all instances of the capacity"
    )
    assert copied_text(ORIGINAL, exchange) == COPY


def test_a_value_that_stays_keeps_its_comment() -> None:
    """The instances are of the same type and number: nothing new is said of that."""
    same = ReservedCapacity(CapacityKind.RESERVATION, HELD.id, "p5.48xlarge", "us-west-2a", 1)
    zones = {each: each for each in zones_of(ORIGINAL)}
    copy = copied_text(
        ORIGINAL,
        CopyChanges("original", "us-west-2", zones, WORKERS, same, 1, why_nodes="all instances of the capacity"),
    )
    for line in (
        "  # why this Region\n  aws:region: us-west-2 # near us\n",
        "        # the fastest\n        instance: p5.48xlarge # eight GPUs\n",
        "        nodes: 1 # one is enough\n                 # for now\n",
        "        # next to it\n        zone: us-west-2a # where it is\n",
        "        local-storage: raid0 # p5.48xlarge has 8 disks\n",
    ):
        assert line in copy, line


def test_comments_on_the_disks_of_another_type_go() -> None:
    text = ORIGINAL.replace("p5.48xlarge has 8 disks", "eight disks")
    exchange = CopyChanges("original", "us-east-1", EASTERN, WORKERS, HELD, 7)
    assert "eight disks" in text
    assert "eight disks" not in copied_text(text, exchange)


def test_a_comment_below_is_the_next_ones() -> None:
    """Where nodes change, what stands above the next key stays."""
    held = ReservedCapacity(CapacityKind.RESERVATION, HELD.id, "p5.48xlarge", "us-west-2a", 3)
    zones = {each: each for each in zones_of(ORIGINAL)}
    copy = copied_text(ORIGINAL, CopyChanges("original", "us-west-2", zones, WORKERS, held, 3, why_nodes="all"))
    assert "        nodes: 3 # all\n        # next to it\n        zone: us-west-2a # where it is\n" in copy


@given(choices())
def test_what_init_says_of_its_own_choice_it_does_not_say_of_a_copy(made) -> None:
    """Neither its line above the file, nor what it said of ids, or of an account, that the copy has no more."""
    text = written(made)
    copy = copied_text(text, CopyChanges(made.stack, made.region, {}))
    assert not data_comments(copy) & {made.reserved.id, made.reserved.name}
    assert "Written by" not in copy
    assert copy.splitlines()[1] == f"# Copied from stack {made.stack} by `muster init`."
    again = copied_text(copy, CopyChanges("copy", made.region, {}))
    assert again.splitlines()[1:3] == ["# Copied from stack copy by `muster init`.", "config:"]


def data_comments(text: str) -> set[str]:
    """The words of all comments below the file's own."""
    below = text[text.index("\nconfig:") :]
    return {word.strip(":;,()") for line in below.splitlines() for word in line.partition(" #")[2].split()}


NAMES = re.compile(r"(?:vpc|subnet|sg|cr|ami|fs)-[0-9a-f]{17}|\bus-west-2[a-d]?\b|\d{12}|\b[a-z]\w+\.\d*xlarge\b")


@pytest.mark.parametrize("stack", [each for each in STACKS if "hyperpod" not in each])
@pytest.mark.parametrize("fill", [False, True])
def test_no_comment_of_a_copy_names_what_is_not_in_it(stack: str, fill: bool) -> None:
    """And none is there that the original has not, but about what was exchanged."""
    text = filled_in(text_of(stack)) if fill else text_of(stack)
    zones = other_zones(zones_of(text), zones_of(text)[0], "us-east-1", ("us-east-1c", "us-east-1a"), [])
    network = NewNetwork("10.0.0.0/16", ("us-east-1c", "us-east-1a"))
    exchange = CopyChanges(stack, "us-east-1", zones, groups_of(text)[0], HELD, 7, network)
    copy = copied_text(text, exchange)
    said = str(data(copy))
    commented = copy[copy.index("\nconfig:") :].splitlines()
    named = {name for line in commented for name in NAMES.findall(line.partition("#")[2])}
    assert {name for name in named if name not in said and name in str(data(text))} == set()
    kept = {line.strip() for line in text.splitlines() if line.strip().startswith("#")}
    new = {line.strip() for line in copy.splitlines() if line.strip().startswith("#")} - kept
    assert all("Copied from stack" in each or HELD.id in each for each in new), new


@given(st.data())
def test_a_copy_says_what_it_would_without_any_comment(drawn: st.DataObject) -> None:
    """Wherever comments stand, and whatever they say, the copy's data are the same."""
    words = st.sampled_from(
        ["cr-0a1b2c3d4e5f60718 is here", "us-west-2a", "plain", "'quoted' {and: flow} # twice", "-"]
    )
    lines = []
    for line in ORIGINAL.splitlines():
        bare = line.partition(" # ")[0] if "note:" not in line and not line.strip().startswith("#") else line
        if line.strip().startswith("#"):
            continue
        indent = len(bare) - len(bare.lstrip())
        if drawn.draw(st.booleans()):
            lines.append(f"{' ' * (indent + drawn.draw(st.sampled_from([0, 2])))}# {drawn.draw(words)}")
        lines.append(f"{bare} # {drawn.draw(words)}" if drawn.draw(st.booleans()) and bare.strip() else bare)
    exchange = CopyChanges("original", "us-east-1", EASTERN, WORKERS, HELD, 7)
    assert data(copied_text("\n".join(lines) + "\n", exchange)) == data(COPY), FILE
