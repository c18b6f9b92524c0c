"""Arrays of files and back: images by pillow, and numpy's own format.

The last dimension of an array is a program's first. An image has rows, then columns; its colours
become a dimension before these, so that each is a plane of its own.
"""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.source import output
from s2s.source.diagnostics import Diagnostic, Severity, UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[Any]

IMAGES = (".png", ".pgm", ".ppm", ".pnm", ".bmp", ".tif", ".tiff", ".jpg", ".jpeg", ".webp")
_ARRAY = ".npy"
_FORMATS = {"pgm": "PPM", "ppm": "PPM", "pnm": "PPM", "jpg": "JPEG", "tif": "TIFF"}
_MODES = {2: "LA", 3: "RGB", 4: "RGBA"}
_PLAIN = ("L", "LA", "RGB", "RGBA", "I;16", "F")


def problem(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "array"))


def is_array_file(path: str) -> bool:
    """Whether a file's name says that it holds an array or an image."""
    return Path(path).suffix.lower() in (*IMAGES, _ARRAY)


def read_array(path: str) -> Values:
    """The elements of a file. Raises UserError."""
    import numpy as np

    try:
        data = Path(path).read_bytes()
        if Path(path).suffix.lower() == _ARRAY:
            found: Values = np.ascontiguousarray(np.load(BytesIO(data), allow_pickle=False))
            return found
        if Path(path).suffix.lower() in IMAGES:
            return _planes(data, path)
    except OSError as error:
        raise problem(f"{path}: {error.strerror or 'no image that pillow reads'}") from None
    except ValueError as error:
        raise problem(f"{path}: {error}") from None
    raise _unknown(path)


def _planes(data: bytes, path: str) -> Values:
    import numpy as np

    image = _pillow().open(BytesIO(data))
    if image.mode in ("P", "1", "CMYK", "YCbCr", "LAB", "HSV", "PA", "RGBX", "RGBa", "La", "I"):
        if image.mode != "I":
            raise problem(
                f"{path}: holds colours as {image.mode}; grey, RGB and RGBA images are read"
            )
        image = image.convert("I;16")
    if not image.mode.startswith(_PLAIN):
        raise problem(f"{path}: holds colours as {image.mode}")
    values = np.asarray(image)
    return np.ascontiguousarray(np.moveaxis(values, 2, 0) if values.ndim == 3 else values)


def fit_array(values: Values, name: str, path: str, type: str, rank: int, convert: bool) -> Values:
    """An array as an input takes it. Raises UserError for another type or number of dimensions."""
    if values.ndim == 2 and rank == 3 and Path(path).suffix.lower() in IMAGES:
        values = values[None]
    if values.ndim != rank:
        what = f"{values.ndim} dimensions ({_shape(values)})"
        if values.ndim == 3 and rank == 2 and Path(path).suffix.lower() in IMAGES:
            what = f"{values.shape[0]} channels"
            raise problem(f"{path}: has {what}, input '{name}' is a grey image (2 dimensions)")
        raise problem(f"{path}: has {what}, input '{name}' has {rank}")
    if 0 in values.shape:
        raise problem(f"{path}: has no elements ({_shape(values)})")
    if values.dtype.name == type:
        return values
    if not convert:
        raise problem(
            f"{path}: holds {values.dtype.name}, input '{name}' is {type};"
            " '--convert' converts, full scale to full scale"
        )
    return convert_array(values, type, path)


def convert_array(values: Values, type: str, path: str) -> Values:
    """Full scale of one type becomes full scale of the other; of floats that is 0 to 1."""
    import numpy as np

    to = np.dtype("uint16" if type == "bfloat16" else type)
    if type == "bfloat16" or not (_converts(values.dtype) and _converts(to)):
        raise problem(f"{path}: there is no way from {values.dtype.name} to {type}")
    scaled = values.astype(np.float64)
    if values.dtype.kind == "u":
        scaled /= np.iinfo(values.dtype).max
    if to.kind == "f":
        return scaled.astype(to)
    return np.rint(np.clip(scaled, 0.0, 1.0) * np.iinfo(to).max).astype(to)


def _converts(type: np.dtype[Any]) -> bool:
    return type.kind == "f" or (type.kind == "u" and type.itemsize <= 4)


def check_array_output(path: str) -> None:
    """Raise UserError for a file that could not be written, before time is spent on it."""
    if not is_array_file(path):
        raise _unknown(path)
    if Path(path).suffix.lower() in IMAGES:
        _pillow()
    output.check_writable(path)


def write_array(path: str, values: Values, convert: bool) -> None:
    """Write an array; raises UserError for one that the format does not hold."""
    import numpy as np

    stream = BytesIO()
    suffix = Path(path).suffix.lower()
    if suffix == _ARRAY:
        np.save(stream, values)
    else:
        image = _pillow().fromarray(_as_image(values, path, convert))
        name = _FORMATS.get(suffix[1:], suffix[1:].upper())
        try:
            image.save(stream, name)
        except (OSError, ValueError) as error:
            raise problem(f"{path}: {error}; '.npy' takes all arrays") from None
    output.write_file(path, stream.getvalue())


def _as_image(values: Values, path: str, convert: bool) -> Values:
    """Rows, columns and colours, of a type that images have."""
    import numpy as np

    if values.dtype.name == "bool":
        values = values.astype(np.uint8) * np.uint8(255)
    planes = values[0] if values.ndim == 3 and values.shape[0] == 1 else values
    if planes.ndim == 3 and planes.shape[0] in _MODES:
        planes = np.moveaxis(planes, 0, 2)
    if planes.ndim not in (2, 3) or (planes.ndim == 3 and planes.shape[2] not in _MODES):
        raise problem(f"{path}: an array of {_shape(values)} is no image; '.npy' takes it")
    wide = planes.dtype == np.uint16 and planes.ndim == 2
    if planes.dtype != np.uint8 and not wide:
        if not convert:
            text = f"{path}: the result is {planes.dtype.name}, not uint8 (or grey uint16)"
            raise problem(f"{text}; '.npy' takes it, '--convert' converts full scale to full scale")
        planes = convert_array(planes, "uint8", path)
    return np.ascontiguousarray(planes)


def _shape(values: Values) -> str:
    return "x".join(map(str, reversed(values.shape))) or "1"


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        text = "images need pillow: pip install 's2s[images]', or use .npy files"
        raise problem(text) from None
    return Image


def _unknown(path: str) -> UserError:
    known = ", ".join((*IMAGES, _ARRAY))
    ending = os.path.splitext(path)[1]
    what = f"'{ending}' is no format of arrays" if ending else "has no ending that names a format"
    return problem(f"{path}: {what} (there are: {known})")
