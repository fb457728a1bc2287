"""`python -m tests.rehearsal.victim FOLDER`: a rehearsal that goes on until it is killed."""

import sys
import time
from pathlib import Path

from muster.rehearsal.control_plane import ControlPlane

if __name__ == "__main__":
    with ControlPlane(training_jobs=["PyTorchJob"], folder=Path(sys.argv[1])):
        print("up", flush=True)
        time.sleep(300)
