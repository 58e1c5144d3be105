"""Runs a command as on a kernel that has neither Landlock nor seccomp(2), like old ones and those of some containers.

python older_kernel.py COMMAND ARGUMENT... Linux alone. The calls are answered by ENOSYS ("no such call"), by a filter
that is put on by prctl, which is another way to the same seccomp.
"""

import ctypes
import os
import platform
import struct
import sys

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_LANDLOCK = (444, 445, 446)
_LOAD_NUMBER, _EQUAL, _RETURN = (0x20, 0, 0, 0), 0x15, 0x06
_ALLOW, _NO_SUCH_CALL = 0x7FFF0000, 0x00050000 | 38
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2


def forget_calls() -> None:
    """From now on this process and what it starts know of neither."""
    lines = [_LOAD_NUMBER]
    for number in (*_LANDLOCK, _SECCOMP[platform.machine()]):
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _NO_SUCH_CALL)]
    lines.append((_RETURN, 0, 0, _ALLOW))
    code = b"".join(struct.pack("=HBBI", *line) for line in lines)
    buffer = ctypes.create_string_buffer(code, len(code))
    handed = ctypes.create_string_buffer(struct.pack("@HP", len(lines), ctypes.addressof(buffer)))
    library = ctypes.CDLL(None, use_errno=True)
    zero = ctypes.c_ulong(0)
    for arguments in ((_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), zero), (_SET_SECCOMP, ctypes.c_ulong(_FILTER), handed)):
        if library.prctl(*arguments, zero, zero):
            raise OSError(ctypes.get_errno(), "the filter was refused")


if __name__ == "__main__":
    forget_calls()
    os.execvp(sys.argv[1], sys.argv[1:])
