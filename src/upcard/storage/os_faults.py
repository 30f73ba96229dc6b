"""Errors of the machine: the command was right, and may well succeed when it is given again."""

from __future__ import annotations

import errno

SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM})
"""Too little memory, too many processes or open files."""
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def is_fault(error: OSError) -> bool:
    """Whether the machine is at fault, not the command that was given."""
    return error.errno in SHORTAGES or error.errno in _DISK
