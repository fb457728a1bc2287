"""The entry point of `muster`, and of `python -m muster.cli` where its script is not on PATH."""

import sys


def main() -> int:
    """Runs the command line. Ctrl-C while the command is still loading ends it quietly, with the shells' 130."""
    try:
        from muster.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
