"""The smallest build backend (PEP 517), so that pip needs nothing else to install the package."""

import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent


def build_wheel(
    directory: str, config_settings: object = None, metadata_directory: object = None
) -> str:
    """Write the wheel; its file's name."""
    about = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    package, version = about["name"].replace("-", "_"), about["version"]
    info = f"{package}-{version}.dist-info"
    files = {str(path.relative_to(HERE)): path.read_text() for path in HERE.glob("s2s_acc/*.py")}
    groups = about["entry-points"].items()
    files[f"{info}/entry_points.txt"] = "".join(
        f"[{group}]\n{key} = {value}\n" for group, rows in groups for key, value in rows.items()
    )
    head = f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {version}\n"
    files[f"{info}/METADATA"] = head
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    name = f"{package}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(directory, name), "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return name
