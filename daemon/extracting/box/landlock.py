"""Linux' Landlock: no path can be used by this process any more.

https://docs.kernel.org/userspace-api/landlock.html
"""

import ctypes
import os
import struct

from scrubjay.daemon.extracting.box.system_calls import gain_nothing, system_call

_CREATE_RULESET, _RESTRICT_SELF = 444, 446  # the same numbers on all architectures
_ASK_VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # version of the interface -> how many rights about files it knows
_ALL_NETWORK = 0b11  # TCP: bind and connect, from version 4
_ALL_SCOPES = 0b11  # abstract sockets and signals, from version 6


def handled(version: int) -> tuple[int, int, int]:
    """What a ruleset forbids by handling it, for a version of the interface: rights on files, on TCP, and scopes."""
    files = (1 << _FILE_RIGHTS.get(version, 16)) - 1
    return files, _ALL_NETWORK if version >= 4 else 0, _ALL_SCOPES if version >= 6 else 0


def forbid_files() -> bool:
    """Forbid all that the kernel's Landlock knows, without exception and for good. Whether it does."""
    version = system_call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    if version < 1 or not gain_nothing():
        return False
    attributes = struct.pack("<3Q", *handled(version))
    size = 8 if version < 4 else 16 if version < 6 else 24  # an older kernel refuses fields that it does not know
    ruleset = system_call(
        _CREATE_RULESET, ctypes.create_string_buffer(attributes[:size], size), ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    if ruleset < 0:
        return False
    try:
        return system_call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)) == 0
    finally:
        os.close(ruleset)
