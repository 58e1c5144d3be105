"""A small BLAS of our own in place of OpenBLAS, which would be a sixth of the bundle: see `blas/blas.c`."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

SOURCE = Path(__file__).parent / "blas" / "blas.c"
OPERATIONS = frozenset(
    f"scipy_cblas_{letter}{operation}64_" for letter in "sd" for operation in ("axpy", "dot", "gemm", "gemv", "syrk")
)
"""What `blas.c` has."""
_FLAGS = ("-O3", "-fopenmp-simd", "-fPIC", "-shared", "-s", "-Wall", "-Wextra", "-Werror")


class OtherNames(Exception):
    """This numpy calls its BLAS by other names than `blas.c` has."""


def put_in_place_of_openblas(bundle: Path) -> bool:
    """Exchange the library in a bundle for Linux. False where there is no C compiler, and all stays as it is.

    Raises OtherNames, CalledProcessError.
    """
    libraries = bundle / "_internal" / "numpy.libs"
    found = list(libraries.glob("libscipy_openblas*.so"))
    if not found or shutil.which("cc") is None:
        return False
    wanted = {name for file in (bundle / "_internal" / "numpy").rglob("*.so") for name in needed_of_blas(file)}
    compile_to(found[0], wanted)
    for file in libraries.iterdir():
        if file != found[0]:  # the Fortran libraries that OpenBLAS alone needs
            file.unlink()
            (libraries.parent / file.name).unlink(missing_ok=True)
    return True


def needed_of_blas(extension: Path) -> set[str]:
    """The functions of a BLAS that an extension module links to."""
    told = subprocess.run(["nm", "-D", "--undefined-only", str(extension)], capture_output=True, check=True, text=True)
    return {word for line in told.stdout.splitlines() if (word := line.split()[-1]).startswith("scipy_")}


def compile_to(target: Path, wanted: Iterable[str]) -> None:
    """Make the shared library, with a function that refuses for each wanted one that `blas.c` has not."""
    asked = set(wanted)
    if not asked >= OPERATIONS:
        raise OtherNames(f"numpy does not ask for {', '.join(sorted(OPERATIONS - asked))}: blas.c has to follow it.")
    with tempfile.TemporaryDirectory() as folder:
        rest = Path(folder) / "rest.c"
        refusals = [f'void {name}(void) {{ refuse("{name}"); }}' for name in sorted(asked - OPERATIONS)]
        rest.write_text("\n".join(["void refuse(const char *name);", *refusals, ""]), encoding="ascii")
        command = ["cc", *_FLAGS, f"-Wl,-soname,{target.name}", "-o", str(target), str(SOURCE), str(rest)]
        subprocess.run(command, check=True)
