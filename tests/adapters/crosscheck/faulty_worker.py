"""A worker process that does what its argument says, once it has been asked."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

ALLOW = '{"outcome": "allow", "rejecting": []}\n'
ANSWERS = {
    "allows": ALLOW,
    "denies": '{"outcome": "deny", "rejecting": []}\n',
    "index out of range": '{"outcome": "allow", "rejecting": [0, 99]}\n',
    "negative index": '{"outcome": "allow", "rejecting": [-1]}\n',
    "index of another type": '{"outcome": "allow", "rejecting": [true]}\n',
    "no outcome": '{"rejecting": []}\n',
    "other JSON": "[1]\n",
    "no JSON": "allow\n",
    "deep JSON": "[" * 9_000 + "\n",
    "two answers": ALLOW * 2,
    "too long": "x" * 100_000 + "\n",
    "half a line": ALLOW[:-1],
    "nothing": "",
}


def main(mode: str, memory: Path) -> None:
    """Says that it is ready, as far as it is, and does what it is meant to do with the first question."""
    if mode == "not ready":
        time.sleep(3_600)
    if mode == "not willing":
        say('{"failed": "no such package"}\n')
        return
    if mode == "tells its environment":
        say(json.dumps({"failed": " ".join(sorted(os.environ))}) + "\n")
        return
    say('{"ready": true}\n')
    for line in sys.stdin:
        if mode == "crashes once":
            if memory.exists():
                say(ALLOW)
                continue
            memory.touch()
        if mode in ("crashes", "crashes once"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if mode == "exits":
            sys.exit(3)
        if mode == "hangs":
            time.sleep(3_600)
        if mode == "rejects":
            rejecting = list(range(len(json.loads(line)["readings"])))
            say(json.dumps({"outcome": "allow", "rejecting": rejecting}) + "\n")
            continue
        say(ANSWERS[mode])
        if mode == "half a line":
            return


def say(text: str) -> None:
    """Text as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
