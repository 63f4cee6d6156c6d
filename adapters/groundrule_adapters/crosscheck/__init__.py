"""The cross-check: a forward chainer in a process of its own derives each decision again from bare truth values."""
