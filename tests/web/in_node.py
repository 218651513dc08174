"""The page's modules outside a browser: in node, where it is installed."""

import json
import shutil
import subprocess

import numpy as np
import pytest

from pigevo.web.site import STATIC, rules_of

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="the page's modules are tried in node, which is not installed")

READ = """
import { readFileSync, writeFileSync } from "node:fs";
const place = process.argv[1];
const read = (name) => new Uint8Array(readFileSync(`${place}/${name}`));
const write = (name, array) => writeFileSync(`${place}/${name}`, new Uint8Array(array.buffer));
const say = (value) => console.log(JSON.stringify(value));
"""


def run(script, folder, game=None, **rolls):
    """What a script says, as JSON; it may import the page's modules as `./js/...`.

    Args:
        script: of node, which may call `read(name)`, `write(name, array)` and `say(value)`.
        folder: where it reads and writes.
        game: what it has as `game`: the rules as the page has them.
        rolls: arrays that it may read, as bytes.
    """
    for name, roll in rolls.items():
        (folder / name).write_bytes(np.ascontiguousarray(roll, dtype=np.uint8).tobytes())
    rules = {"sides": getattr(game, "sides", None), **rules_of("it", game)} if game else None
    script = f"{READ}const game = {json.dumps(rules)};{script}"
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", script, str(folder)], cwd=str(STATIC), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


def written(path, shape, kind=np.uint8):
    """The array that a script has written."""
    return np.frombuffer(path.read_bytes(), kind).reshape(shape)
