"""Tells errors of the machine (full disk, no memory) from errors of the user."""

from __future__ import annotations

import errno

SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM})
"""Out of memory, or too many processes or open files."""
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def is_fault(error: OSError) -> bool:
    """Whether the machine is at fault, not the command."""
    return error.errno in SHORTAGES or error.errno in _DISK
