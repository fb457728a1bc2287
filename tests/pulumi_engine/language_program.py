"""Runs one program of Pulumi: the engine's request on standard input, the engine's address as the only argument."""

import asyncio
import logging
import os
import runpy
import sys
import traceback

import pulumi
from pulumi.runtime import proto


def main() -> int:
    """Runs the program as Pulumi's own language host does. The engine gets its errors."""
    request = proto.language_pb2.RunRequest.FromString(sys.stdin.buffer.read())
    pulumi.runtime.set_all_config(pulumi.runtime.get_config_env(), pulumi.runtime.get_config_secret_keys_env())
    pulumi.runtime.configure(
        pulumi.runtime.Settings(
            monitor=request.monitor_address,
            engine=sys.argv[1],
            project=request.project,
            stack=request.stack,
            parallel=request.parallel,
            dry_run=request.dryRun,
            organization=request.organization,
            root_directory=request.info.root_directory,
        )
    )
    program = request.info.entry_point
    sys.argv = [program, *request.args]
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)

    def run() -> None:
        runpy.run_path(program, run_name="__main__")

    try:
        loop.run_until_complete(pulumi.runtime.run_in_stack(run))
    except pulumi.RunError as fault:
        pulumi.log.error(str(fault))
        return 1
    except Exception:  # noqa: BLE001  (whatever a program raises)
        pulumi.log.error(f"Program failed with an unhandled exception:\n{traceback.format_exc()}")
        return 1
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
