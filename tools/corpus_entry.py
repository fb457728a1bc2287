"""`python -m tools.corpus_entry NAME...`: the findings of entries of the corpus, as users read them."""

import sys

from tests.corpus import FOLDER, Entry, WrongEntry, entry
from tests.corpus.judged import Outcome, place, read_entry


def told(one: Entry, said: Outcome) -> str:
    """An entry with its findings, and where they differ from the expected ones."""
    wanted = {(each.at, each.says) for each in one.refused} or one.found
    lines = [f"{one.name}: {one.says}"]
    lines += [f"  {each.rule} at {place(each.where)}: {each.got}\n    fix: {each.remedy}" for each in said.findings]
    lines += [f"  not expected: {where}: {what}" for where, what in sorted(said.found - wanted)]
    lines += [f"  missing: {where}: {what}" for where, what in sorted(wanted - said.found)]
    lines += [f"  not evaluated: {rule} at {where}" for rule, where in sorted(said.unjudged)]
    return "\n".join(lines)


def main(names: list[str]) -> int:
    """Prints each entry. Exit code 1: other findings than expected. Exit code 2: an unreadable entry."""
    files = [file for name in names for file in FOLDER.glob(f"*/{name}.yaml")]
    lacking = sorted({*names} - {file.stem for file in files})
    if lacking or not names:
        said = f"no entry {', '.join(lacking)}" if lacking else "give names of entries"
        print(f"{said} in tests/corpus/, such as eks-reservation-expired", file=sys.stderr)  # noqa: TID251
        return 2
    code = 0
    for file in files:
        try:
            one = entry(file.read_text(encoding="utf-8"), file.stem, file.parent.name)
            said = read_entry(one)
        except WrongEntry as fault:
            print(fault, file=sys.stderr)  # noqa: TID251
            return 2
        print(told(one, said))
        wanted = {(each.at, each.says) for each in one.refused} or one.found
        code = max(code, int((said.found, said.unjudged) != (wanted, one.unjudged)))
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
