"""Reads a deployed stack's outputs with the Pulumi CLI, and explains why there are none.

The messages and exit codes are those of Pulumi 3.260. Other versions have other exit codes, so the code also matches
the messages.
"""

import json
import os
import shutil
from pathlib import Path

from muster import child_process
from muster.cli.exits import WrongInput
from muster.config import project
from muster.message_text import did_you_mean

_NOT_LOGGED_IN = 3
_NO_SUCH_STACK = 6


def kubeconfig(stack: str) -> str:
    """The kubeconfig of a stack, as its output has it.

    Raises:
        WrongInput: there is no Pulumi CLI, or it has no such output; the message says why and what to do.
    """
    name, folder = _place(stack)
    done = _pulumi("stack", "output", "kubeconfig", "--show-secrets", "--non-interactive", "--stack", name, cwd=folder)
    if done.returncode:
        raise WrongInput(_why(done, name, folder))
    text = done.stdout.strip()
    if not _is_kubeconfig(text):
        raise WrongInput(
            f"the output 'kubeconfig' of stack '{name}' is not a kubeconfig: this is not a stack of Muster"
        )
    return text


def _place(stack: str) -> tuple[str, Path]:
    """The stack's name for the Pulumi CLI, and the folder to run it in: the project's; any for a fully qualified
    name."""
    if not stack or "\0" in stack:
        raise WrongInput(f"'{stack}' is not the name of a stack")
    if stack.count("/") == 2 and not stack.endswith(".yaml"):  # noqa: PLR2004  (organization/project/stack)
        return stack, Path.cwd()
    try:
        root = project.root()
    except project.NoProject as fault:
        raise WrongInput(f"{fault}, or give the stack's full name: ORGANIZATION/{project.PROJECT}/{stack}") from None
    return (Path(stack).name.removeprefix("Pulumi.").removesuffix(".yaml") if stack.endswith(".yaml") else stack), root


def _pulumi(*arguments: str, cwd: Path) -> "child_process.Completed[str]":
    program = shutil.which("pulumi")
    if program is None:
        raise WrongInput(
            "the Pulumi CLI ('pulumi') is not on PATH; install it (https://www.pulumi.com/docs/install/), "
            "then run `pulumi login`"
        )
    try:
        return child_process.run([program, *arguments], cwd=cwd, env={**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"})
    except OSError as fault:
        raise WrongInput(f"'{program}' cannot be run: {fault.strerror}; reinstall the Pulumi CLI") from None


def _why(done: "child_process.Completed[str]", stack: str, folder: Path) -> str:
    message = done.stderr.strip()
    if done.returncode == _NOT_LOGGED_IN or "must be set for login" in message:
        return "Pulumi is not logged in; run `pulumi login` with the Pulumi backend that has the stack"
    if done.returncode == _NO_SUCH_STACK or "no stack named" in message:
        known = project.stacks(folder)
        near = did_you_mean(stack, known) if stack not in known else ""
        return (
            f"the Pulumi backend that you are logged in to has no stack '{stack}'{near} "
            "(`pulumi stack ls --all` lists its stacks, `pulumi whoami --verbose` prints its address)"
        )
    if "does not have output property" in message:
        return (
            f"stack '{stack}' has no kubeconfig: it is not deployed; run `pulumi up --stack {stack}` "
            f"(if it uses Slurm, `pulumi stack output headNode --stack {stack}` prints the head node's address)"
        )
    if "incorrect passphrase" in message:
        return f"the passphrase of stack '{stack}' is wrong; set PULUMI_CONFIG_PASSPHRASE to the correct one"
    if "passphrase must be set" in message:
        return (
            f"a passphrase protects the secrets of stack '{stack}'; "
            "set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE"
        )
    quoted = [f"  {line}" for line in message.splitlines() if line.strip()]
    return "\n".join([f"Pulumi could not read stack '{stack}' (its exit code: {done.returncode}):", *quoted])


def _is_kubeconfig(text: str) -> bool:
    try:
        read = json.loads(text)
    except ValueError:
        return False
    return isinstance(read, dict) and read.get("kind") == "Config"
