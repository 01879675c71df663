"""A bundle as one file: a ZIP without compression, of which every byte follows from its content.

So whoever changes a byte of it, also between the files, changes what can be checked. Unpacked into
a folder a bundle can be verified just as well.
"""

import gzip
import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

Files: TypeAlias = Mapping[str, bytes]
"""The content of a bundle's files by their names."""

# ZIP knows no earlier day.
_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16

# No bundle that this suite makes is larger, nor a journal in one.
LARGEST = 1 << 30


class BadBundle(ValueError):  # noqa: N818 - it is the bundle that is bad
    """What is there is no bundle, in one sentence."""


def pack(files: Files) -> bytes:
    """Return the bytes of the one file."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system, info.external_attr = 3, _MODE
            archive.writestr(info, files[name])
    return written.getvalue()


def unpack(path: Path) -> Files:
    """Return the files of a bundle: of the one file, or of the folder that it was unpacked into.

    Raises:
        BadBundle: there is none, or it is not packed as `pack` does.
    """
    try:
        return _of_folder(path) if path.is_dir() else _of_archive(path)
    except FileNotFoundError:
        raise BadBundle(f"there is no {path}") from None
    except OSError as error:
        raise BadBundle(f"{path} cannot be read: {error.strerror or error}") from None


def _of_folder(folder: Path) -> Files:
    files = [it for it in sorted(folder.rglob("*")) if not it.is_dir() or it.is_symlink()]
    odd = [it for it in files if it.is_symlink() or not it.is_file()]
    if odd:
        raise BadBundle(f"{odd[0]} is no plain file")
    if sum(it.stat().st_size for it in files) > LARGEST:
        raise BadBundle(f"{folder} is larger than any bundle")
    return {it.relative_to(folder).as_posix(): it.read_bytes() for it in files}


def _of_archive(path: Path) -> Files:
    if path.stat().st_size > LARGEST:
        raise BadBundle(f"{path} is larger than any bundle")
    packed = path.read_bytes()
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            entries = archive.infolist()
            if any(it.compress_type != zipfile.ZIP_STORED for it in entries):
                raise BadBundle(f"{path} has been packed anew; unpack it and verify the folder")
            files = {it.filename: archive.read(it) for it in entries}
    except (zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError, EOFError) as error:
        if isinstance(error, BadBundle):
            raise
        raise BadBundle(f"{path} is no bundle, or is damaged: {error}") from None
    if pack(files) != packed:
        raise BadBundle(
            f"{path} has been changed beside its files, or packed anew; unpack it and verify the "
            "folder"
        )
    return files


def compress(data: bytes) -> bytes:
    """Return data as gzip has it, without time and name."""
    return gzip.compress(data, mtime=0)


def expand(data: bytes) -> bytes:
    """Return what was compressed.

    Raises:
        BadBundle: it is not, or it is larger than any journal.
    """
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            expanded = file.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadBundle(f"the journal cannot be unpacked: {error}") from None
    if len(expanded) > LARGEST:
        raise BadBundle("the journal is larger than any")
    return expanded
