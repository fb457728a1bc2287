"""The process in which AWS's package runs. It is started once, answers any number of requests, and ends with Muster."""

import atexit
import json
import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Timer
from typing import Any

from muster import child_process
from muster.authority.installation import PACKAGE, NotInstalled, installation_remedy, muster_package, package_python
from muster.versions import PARALLELCLUSTER

ANSWER_SECONDS = 120
"""The timeout of one answer. The first takes two or three seconds, because it loads boto3's and moto's models of
EC2."""


class NoAnswer(Exception):
    """The process ended, took too long, or failed: a bug in Muster, or a broken installation."""


class Worker:
    """A process with AWS's package."""

    def __init__(self, interpreter: Path) -> None:
        """Starts the process."""
        self._home = TemporaryDirectory(prefix="muster-parallelcluster-")
        self._ours = Path(self._home.name) / "ours"
        self._ours.mkdir()
        (self._ours / muster_package().name).symlink_to(muster_package())
        self._process = child_process.start(
            child_process.module("muster.authority.worker", packages=self._ours, interpreter=interpreter),
            stdin=child_process.PIPE,
            stdout=child_process.PIPE,
            stderr=None if os.environ.get("MUSTER_DEBUG") else child_process.DEVNULL,
            env=self._surroundings(),
            cwd=Path(self._home.name),
        )
        self._one_at_a_time = Lock()

    def ask(self, task: str, **arguments: Any) -> Any:
        """The result of a task of `muster.authority.worker.tasks`.

        Raises:
            NoAnswer: the task failed. The message is the cause.
        """
        assert self._process.stdin
        assert self._process.stdout
        with self._one_at_a_time:
            timer = Timer(ANSWER_SECONDS, self._process.kill)
            timer.start()
            try:
                self._process.stdin.write(json.dumps({"task": task, **arguments}).encode() + b"\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except OSError:
                line = b""
            finally:
                timer.cancel()
        if not line:
            raise NoAnswer(f"the process of {PACKAGE} ended without an answer; set MUSTER_DEBUG=1 to see its output")
        answer = json.loads(line)
        if isinstance(answer, dict) and "failed" in answer:
            raise NoAnswer(answer["failed"])
        return answer

    def close(self) -> None:
        """Ends the process and deletes its home directory."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=5)
        except child_process.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._home.cleanup()

    def _surroundings(self) -> dict[str, str]:
        """The environment variables of the process: no credentials, no profile, no proxy, and a temporary home
        directory, because the package writes a log into ~/.parallelcluster.

        It imports Muster from a folder with nothing else: the folder of an installed Muster may also contain the
        packages of Pulumi, whose boto3 and PyYAML would replace those of the process."""
        return {
            "HOME": self._home.name,
            "PATH": os.defpath,
            "AWS_ACCESS_KEY_ID": "nobody",
            "AWS_SECRET_ACCESS_KEY": "nothing",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "AWS_EC2_METADATA_DISABLED": "true",
            "PYTHONUTF8": "1",
            **{name: os.environ[name] for name in ("MUSTER_DEBUG", "LANG") if name in os.environ},
        }


@cache
def worker() -> Worker:
    """The process that all callers share.

    Raises:
        NotInstalled: the environment does not exist, or has another version of the package.
    """
    interpreter = package_python()
    made = Worker(interpreter)
    atexit.register(made.close)
    try:
        versions = made.ask("versions")
    except NoAnswer:
        raise NotInstalled(
            f"{interpreter} cannot load {PACKAGE} {PARALLELCLUSTER} and moto; {installation_remedy()}"
        ) from None
    if versions[PACKAGE] != PARALLELCLUSTER:
        raise NotInstalled(
            f"{interpreter} has {PACKAGE} {versions[PACKAGE]}, but Muster needs version {PARALLELCLUSTER}; "
            f"{installation_remedy()}"
        )
    return made
