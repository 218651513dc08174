"""The page's modules outside a browser: in node, where it is installed."""

import functools
import itertools
import json
import shutil
import subprocess
from urllib.parse import quote

import numpy as np
import pytest

from pigevo.web.site import STATIC, rules_of

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="the page's modules are tried in node, which is not installed")

READ = """
import { readFileSync, writeFileSync } from "node:fs";
const read = (name) => new Uint8Array(readFileSync(`${place}/${name}`));
const write = (name, array) => writeFileSync(`${place}/${name}`, new Uint8Array(array.buffer));
const say = (value) => { globalThis.said = value; };
"""
LISTEN = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  globalThis.said = null;
  const failed = await import(JSON.parse(line)).then(() => undefined, (error) => String(error?.stack ?? error));
  console.log(JSON.stringify({ failed, said: globalThis.said }));
}
"""
CALLS = itertools.count()


@functools.cache
def node():
    """A process that imports a module from each line that it reads; it ends with this process."""
    command = [NODE, "--input-type=module", "-e", LISTEN]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


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
    script = f"const place = {json.dumps(str(folder))}, game = {json.dumps(rules)};{READ}{script}"
    script = script.replace('"./js/', f'"{STATIC.as_uri()}/js/')
    script += f"// {next(CALLS)}"  # node runs a module of the same address only once
    listening = node()
    listening.stdin.write(json.dumps(f"data:text/javascript,{quote(script)}") + "\n")
    listening.stdin.flush()
    done = json.loads(listening.stdout.readline())
    assert "failed" not in done, done["failed"]
    return done["said"]


def written(path, shape, kind=np.uint8):
    """The array that a script has written."""
    return np.frombuffer(path.read_bytes(), kind).reshape(shape)
