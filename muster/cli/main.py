"""The `muster` command: its subcommands, and the one place where exceptions become messages and exit codes."""

import atexit
import gc
import os
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from muster.cli.command_loading import CommandGroup, UsageError
from muster.cli.exits import Exit
from muster.finding import WrongInput
from muster.terminal import CannotPrint, complain, error_style, is_error_terminal, open_streams, write_lines

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

        write_lines([f"muster {__version__}"])
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
        # plan (1.6 s instead of 1.3 s) and frees little memory (186 MiB instead of 194 for a hundred groups). A last
        # one, which Python does as it ends, takes a fifth of the time of a check; it leaves out what is frozen.
        gc.disable()
        atexit.register(gc.freeze)
        os.environ["PYDANTIC_DISABLE_PLUGINS"] = "1"  # it would search every installed package for some
    try:
        code = app(args=None if arguments is None else list(arguments), prog_name="muster", standalone_mode=False)
    except SystemExit as left:  # of a shell's completion; or the reader of a help page has closed the pipe
        code = Exit.CLEAN if isinstance(left.__context__, BrokenPipeError) else left.code
    except UsageError as fault:
        _complain_of_usage(fault)
        code = Exit.INPUT
    except (WrongInput, CannotPrint) as fault:
        _complain(*fault.args)
        code = Exit.INPUT
    except KeyboardInterrupt:
        code = _STOPPED
    except Exception as bug:  # noqa: BLE001  (no exception may reach the user as a bare traceback)
        _report(bug)
        code = Exit.BUG
    if code == _STOPPED:  # on a new line: on a terminal, the current one may show a question or a count
        complain(*([""] if is_error_terminal() else []), "stopped")
    return code if isinstance(code, int) else Exit.CLEAN


_STOPPED = 130
"""The exit code that shells use for a process that Ctrl-C ends."""


def _complain(*lines: str) -> None:
    complain(*(line if line.startswith(" ") else f"{error_style().bad('error')}: {line}" for line in lines))


def _complain_of_usage(fault: Any) -> None:
    """An error in the command line. For a group without a command, Typer's error is the help page."""
    message = fault.format_message()
    if fault.ctx and message == fault.ctx.get_help():
        complain(*message.split("\n"))
    else:
        advice = [f"  `{fault.ctx.command_path} --help` lists the options"] if fault.ctx else []
        if advice and "extra argument" in message and any("--stack" in each.opts for each in fault.ctx.command.params):
            advice = ["  give the stack with --stack"]
        _complain(message, *advice)


def _report(bug: Exception) -> None:
    if os.environ.get("MUSTER_DEBUG"):
        import traceback

        complain(*"".join(traceback.format_exception(bug)).split("\n"))
    from muster.finding import OurBug

    lines = bug.args if isinstance(bug, OurBug) else (f"{type(bug).__name__}: {bug}",)
    complain(
        *(f"{error_style().bad('bug in Muster')}: {line}" for line in lines),
        "This is not an error in your description. Please open an issue in Muster's repository with the command, the "
        "stack file, and the output of the command with MUSTER_DEBUG=1.",
    )
