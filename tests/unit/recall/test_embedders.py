"""Embedding models, by their cost for the machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_COUNT = """
import os
from desktop.recall.embedders import {model}
{model}().query("gelgit")
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc to count threads in")
@pytest.mark.parametrize("model", ["fast_embedder", "best_embedder"])
def test_a_model_takes_one_thread_however_many_cores_there_are(model: str) -> None:
    free = {name: value for name, value in os.environ.items() if not name.endswith("_THREADS")}
    counted = subprocess.run(  # noqa: S603 - this very interpreter
        [sys.executable, "-c", _COUNT.format(model=model)],
        env=free,
        capture_output=True,
        check=True,
        text=True,
    )
    assert counted.stdout.strip() == "1"
