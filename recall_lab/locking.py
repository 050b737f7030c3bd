"""A lock on an open file. The system lets go of it when the program ends, however it ends."""

from __future__ import annotations

import os

if os.name == "nt":
    import msvcrt

    _FAR = 2**30  # Windows refuses to read a locked byte, so the lock lies behind everything there is

    def take(descriptor: int) -> bool:
        """Lock an open file, unless somebody else holds its lock. True where it is ours now."""
        try:
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

else:
    import fcntl

    def take(descriptor: int) -> bool:
        """Lock an open file, unless somebody else holds its lock. True where it is ours now."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
