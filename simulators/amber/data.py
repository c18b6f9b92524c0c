"""Words of the streams: from images and arrays of files, made up, and back to files.

An array has the dimensions of its stream, outermost first. Colours may be the first or the last
dimension, those of an image that stand elsewhere are moved.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.amber.problems import problem
from s2s.source import output
from s2s.source.clockwork.programs import Program

if TYPE_CHECKING:
    import numpy as np

    Words = np.ndarray[Any, np.dtype[np.uint32]]
    Values = np.ndarray[Any, Any]

IMAGES = (".png", ".pgm", ".ppm", ".pnm", ".bmp", ".tif", ".tiff", ".jpg", ".jpeg")
RAW = (".raw", ".bin")


def named_files(words: Sequence[str], streams: Sequence[str], what: str) -> dict[str, str]:
    """Files by their streams: of ``NAME=FILE``, or ``FILE`` for the first stream that is free.

    A name may lack its ``_stencil``. Raises UserError for one that is no stream's.
    """
    found: dict[str, str] = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not equals:
            left = [stream for stream in streams if stream not in found]
            if not left:
                raise problem(f"'{word}' is one file more than there are {what}s")
            name, path = left[0], word
        stream = next((s for s in streams if name in (s, s.removesuffix("_stencil"))), None)
        if stream is None:
            raise problem(f"no {what} is named '{name}' (there are: {', '.join(streams)})")
        found[stream] = path
    return found


def input_words(program: Program, files: Mapping[str, str], seed: int) -> Words:
    """The words of all input streams, one after another; made up where no file has them."""
    import numpy as np

    parts: list[Words] = [np.zeros(0, np.uint32)]
    for name in program.inputs:
        box = program.boxes.get(name)
        if box is None:
            continue
        if name in files:
            values = fit(read(files[name]), box.extents, name, files[name])
        else:
            made_up = np.random.default_rng([seed, zlib.crc32(name.encode())])
            values = made_up.integers(0, 2 ** program.width(name), box.extents, np.uint64)
        mask = 2 ** program.width(name) - 1
        parts.append((values.astype(np.int64) & mask).astype(np.uint32).ravel())
    return np.concatenate(parts)


def fit(values: Values, extents: tuple[int, ...], name: str, path: str) -> Values:
    """An array cut to a stream's extents. Raises UserError where it is too small."""
    import numpy as np

    wanted = extents
    if values.ndim == 1 and values.size >= np.prod(wanted):
        return values[: int(np.prod(wanted))].reshape(wanted)
    if values.ndim == 3 and len(wanted) == 3 and values.shape[2] <= 4 and wanted[2] > 4:
        values = np.moveaxis(values, 2, 0)
    while values.ndim < len(wanted) and 1 in wanted:
        values = np.expand_dims(values, wanted.index(1))
    if values.ndim != len(wanted) or any(a < b for a, b in zip(values.shape, wanted, strict=True)):
        shapes = ["x".join(map(str, shape)) for shape in (values.shape, wanted)]
        raise problem(f"{path}: is an array of {shapes[0]}, '{name}' needs {shapes[1]}")
    return values[tuple(slice(0, e) for e in wanted)]


def read(path: str, *, floats: bool = False) -> Values:
    """An array of a file: an image, .npy (with ``floats``: of them, too), or raw words of 16 bits.
    Raises UserError.
    """
    import numpy as np

    suffix = Path(path).suffix.lower()
    try:
        data = Path(path).read_bytes()
        if suffix in IMAGES:
            return np.array(_pillow().open(BytesIO(data)))
        if suffix == ".npy":
            found: Values = np.load(BytesIO(data))
            if found.dtype.kind not in ("uibf" if floats else "uib"):
                raise problem(f"{path}: has {found.dtype}, not integers")
            return found
        if suffix in RAW:
            return np.frombuffer(data, "<u2")
    except OSError as error:
        raise problem(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise problem(f"{path}: {error}") from None
    raise _unknown(path)


def write_words(path: str, values: Words, width: int) -> None:
    """Write a stream's words of so many bits to a file."""
    write(path, values.astype(f"u{1 if width <= 8 else 2 if width <= 16 else 4}"))


def write(path: str, values: Values) -> None:
    """Write an array to a file, .npy as it is. Images have 8 bits where all values do, else 16; raw
    words have 16 bits, or 32 where elements have more. Raises UserError.
    """
    import numpy as np

    suffix = Path(path).suffix.lower()
    stream = BytesIO()
    if suffix in IMAGES:
        if values.dtype.kind == "f" or values.min(initial=0) < 0:
            what = "floats" if values.dtype.kind == "f" else "negative numbers"
            raise problem(f"{path}: {what} are no image that it can hold; '.npy' takes them")
        small = values.max(initial=0) < 256
        image = _as_image(values, path).astype(np.uint8 if small else np.uint16)
        _pillow().fromarray(image).save(stream, "PPM" if suffix in IMAGES[1:4] else suffix[1:])
    elif suffix == ".npy":
        np.save(stream, values)
    elif suffix in RAW:
        bits = values.view(f"u{values.itemsize}") if values.dtype.kind == "f" else values
        stream.write(bits.astype("<u4" if values.itemsize > 2 else "<u2").tobytes())
    else:
        raise _unknown(path)
    output.write_file(path, stream.getvalue())


def check_output(path: str) -> None:
    """Raise UserError for a file that could not be written, before time is spent on it."""
    if Path(path).suffix.lower() not in (*IMAGES, *RAW, ".npy"):
        raise _unknown(path)
    if Path(path).suffix.lower() in IMAGES:
        _pillow()
    output.check_writable(path)


def _as_image(values: Values, path: str) -> Words:
    """Two dimensions, or three with colours last."""
    import numpy as np

    image = values.reshape([e for e in values.shape if e > 1] or [1, 1])
    if image.ndim == 1:
        image = image[None, :]
    if image.ndim == 3 and image.shape[0] == 3 != image.shape[2]:
        image = np.moveaxis(image, 0, 2)
    if image.ndim > 3 or (image.ndim == 3 and (image.shape[2] != 3 or image.max() > 255)):
        shape = "x".join(map(str, values.shape))
        raise problem(f"{path}: words of {shape} are no image that it can hold; '.npy' takes them")
    return image


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        text = "images need pillow: pip install 's2s[images]', or use .npy and .raw files"
        raise problem(text) from None
    return Image


def _unknown(path: str) -> Exception:
    known = ", ".join((*IMAGES, ".npy", *RAW))
    return problem(f"{path}: no format has this name's end (there are: {known})")
