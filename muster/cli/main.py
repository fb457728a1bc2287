"""The `muster` command: its subcommands, and the one place where exceptions become messages and exit codes."""

import gc
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from muster.cli.command_loading import CommandGroup
from muster.cli.exits import Exit, WrongInput
from muster.cli.terminal import complain, one_line, open_streams, style_of, write

_EPILOG = (
    "Exit codes: 0 no mandatory findings (advisory findings may exist), 1 mandatory findings, 2 wrong input, 3 a bug "
    "in Muster, 4 a rule was not evaluated and --strict was given."
)

app = typer.Typer(
    name="muster",
    cls=CommandGroup,
    rich_markup_mode=None,
    help="Check, plan, deploy and rehearse distributed-training clusters. One typed description defines each cluster.",
    epilog=_EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(requested: bool) -> None:  # noqa: FBT001  (typer passes it by position)
    if requested:
        from muster import __version__

        write(f"muster {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """The options that come before a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit code.

    Wrong input prints a message and exits with 2. Any other exception is a bug of Muster: it prints a message and exits
    with 3; MUSTER_DEBUG adds the traceback.
    """
    open_streams()
    if arguments is None:
        # The process ends with the command. Garbage collection while the SDKs load takes a fifth of the time of a
        # plan (1.6 s instead of 1.3 s) and frees little memory (186 MiB instead of 194 for a hundred groups).
        gc.disable()
    try:
        app(args=None if arguments is None else list(arguments), prog_name="muster")
    except SystemExit as left:
        if left.code == _STOPPED:
            _stop()
        return _code(left)
    except WrongInput as fault:
        _complain(fault)
        return Exit.INPUT
    except KeyboardInterrupt:
        _stop()
        return _STOPPED
    except Exception as bug:  # noqa: BLE001  (no exception may reach the user as a bare traceback)
        _report(bug)
        return Exit.BUG
    return Exit.CLEAN


_STOPPED = 130
"""The exit code that shells use for a process that Ctrl-C ends."""


def _stop() -> None:
    """Prints on a new line: on a terminal, the current line may show a question or a count."""
    complain(*([""] if sys.stderr.isatty() else []), "stopped")


def _complain(fault: WrongInput) -> None:
    """Prints one line per fault. An indented line continues the line before it."""
    for line in str(fault).splitlines():
        prefix = "" if line.startswith(" ") else f"{style_of(sys.stderr).bad('error')}: "
        complain(prefix + one_line(line))


def _code(left: SystemExit) -> int:
    """The exit code of Typer's exits. It is not an error if a reader closes the pipe during a help page."""
    if isinstance(left.__context__, BrokenPipeError):
        return Exit.CLEAN
    return left.code if isinstance(left.code, int) else Exit.CLEAN if left.code is None else Exit.INPUT


def _report(bug: Exception) -> None:
    if os.environ.get("MUSTER_DEBUG"):
        import traceback

        complain(*"".join(traceback.format_exception(bug)).splitlines())
    from muster.finding import OurBug

    lines = bug.args if isinstance(bug, OurBug) else (f"{type(bug).__name__}: {bug}",)
    heading = style_of(sys.stderr).bad("bug in Muster")
    complain(
        *(f"{heading}: {one_line(line)}" for line in lines),
        "This is not an error in your description. Please open an issue in Muster's repository with the command, the "
        "stack file, and the output of the command with MUSTER_DEBUG=1.",
    )
