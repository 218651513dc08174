"""The service worker of the page, by which the page works without its server after the first visit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256

from pigevo import __version__


def service_worker(script: bytes, ready: Mapping[str, bytes], later: Iterable[str]) -> bytes:
    """The worker with the files that it stores.

    Args:
        script: the worker, with `@FILES@` and `@LATER@` for its lists.
        ready: the content of the files that it stores at once; their digests tell it what has changed.
        later: the names of files that are computed when first requested. Their digest is that of the whole version.
    """
    digests = {name: sha256(content).hexdigest() for name, content in ready.items()}
    version = sha256(json.dumps([__version__, digests], sort_keys=True).encode()).hexdigest()
    lists = {b"@FILES@": digests, b"@LATER@": dict.fromkeys(later, version)}
    for mark, listed in lists.items():
        script = script.replace(mark, json.dumps(listed, indent=1).encode())
    return script
