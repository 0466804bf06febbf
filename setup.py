"""Put compiled code into the wheel, so that the first command does not compile."""

import os
import subprocess
import sys
from importlib.util import find_spec

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCache(build_py):
    """Compile after the sources were copied, if this environment has the compiler."""

    def run(self) -> None:
        """Build, then let Numba write its cache beside the copied sources."""
        super().run()
        if not self.editable_mode and find_spec("numba") and find_spec("selectolax"):
            # Only Numba's cache: bytecode is made by pip.
            environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
            environment["PYTHONPATH"] = self.build_lib
            command = [sys.executable, "-m", "flong.workers.warm"]
            subprocess.run(command, env=environment, cwd=self.build_lib, check=True)  # noqa: S603 - ours


setup(cmdclass={"build_py": BuildWithCache})
