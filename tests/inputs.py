"""Inputs that are files of their own, beside what s2s is expected to make of them.

A C or C++ file under ``tests`` whose first line begins with ``// s2s:`` is a test. The line has
the arguments of ``s2s transform --strict``, with the compiler's flags after ``--``. The new text
has to be that of ``NAME.expected.c``. With ``// s2s: explain`` and arguments of that command, what
it prints has to be that of ``NAME.expected.txt``, where there is one or nothing else is expected.
Lines of their own in the file say more:

``// stays``             the text comes out as it went in; there is no expected file
``// run``               the program prints the same before and after, with 1, 2 and 3 threads
``// text: WORDS``       the new text has these words; ``// text x2: WORDS``: so many times
``// no text: WORDS``    it does not have them
``// not said: WORDS``   nothing that is said has them
``// all: WORDS``        whatever is said with these words is expected at its line

What is said of a place stands where it is said, as ``// remark: WORDS``, ``// missed: WORDS``,
``// warning: WORDS``, ``// error: WORDS`` or ``// note: WORDS``: at the end of the line, or before
it on a line of its own; ``// missed@*: WORDS`` is said somewhere. WORDS are part of
``text [id]``. A command that ends with an error has to have one of the errors that are expected.

All these comments are taken out, with the lines kept, before s2s sees the text. Files that are
included stand beside the input, or are found from the folder ``tests``.

``make renew-tests`` (``S2S_RENEW=1 pytest``) writes the expected files anew; it leaves alone what
the comments say.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from s2s.cli.main import main
from tests.places import ROOT

RENEW = bool(os.environ.get("S2S_RENEW"))
ENDINGS = (".c", ".cpp")
_HEAD = b"// s2s:"
_SAID = r"(?:remark|missed|warning|error|note)"
_SETTING = re.compile(
    r"// (?P<kind>s2s|stays|run|text|no text|not said|all)"
    r"(?: x(?P<times>\d+))?(?:: *(?P<words>.*?))?\r?"
)
_EXPECTED = re.compile(
    rf"\s*// (?P<kind>{_SAID})(?P<anywhere>@\*)?: *(?P<words>.*?)(?=\s// {_SAID}|\s*$)"
)
_PRINTED = re.compile(rf"^[^:\n]+:(\d+):\d+: ({_SAID}): (.*)$", re.MULTILINE)
_THREADS = (1, 2, 3)


@dataclass(frozen=True)
class Said:
    """Something that is said of a line, or expected there; ``line`` is 0 for no or any line."""

    severity: str
    text: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line or '*'}: {self.severity}: {self.text}"


@dataclass(frozen=True)
class Input:
    """A file as s2s gets it, and what its comments say."""

    path: Path
    text: str
    command: list[str]
    said: tuple[Said, ...]
    not_said: tuple[str, ...]
    all_of: tuple[str, ...]
    texts: tuple[tuple[str, int | None], ...]
    stays: bool
    run: bool


class WrongError(AssertionError):
    """What s2s does is not what a file expects; the message says what differs."""


def is_input(path: Path) -> bool:
    """Whether a file is a test of this kind."""
    if path.suffix not in ENDINGS or path.stem.endswith(".expected"):
        return False
    with path.open("rb") as stream:
        return stream.read(len(_HEAD)) == _HEAD


def read(path: Path) -> Input:
    """Take a file apart. Raises WrongError for an expectation without a line that it is about."""
    settings: dict[str, list[tuple[str, int | None]]] = {}
    said, kept = [], []
    waiting: list[Said] = []
    for number, line in enumerate(_decoded(path.read_bytes()).split("\n"), 1):
        if setting := _SETTING.fullmatch(line):
            times = int(setting["times"]) if setting["times"] else None
            settings.setdefault(setting["kind"], []).append((setting["words"] or "", times))
            kept.append("\r" if line.endswith("\r") else "")
            continue
        found = list(_EXPECTED.finditer(line)) if "// " in line else []
        for one in found:
            waiting.append(Said(one["kind"], one["words"], 0 if one["anywhere"] else number))
        rest = line[: found[0].start()] + "\r" * line.endswith("\r") if found else line
        kept.append(rest)
        if rest.strip() or not found:
            said += [replace(one, line=number if one.line else 0) for one in waiting]
            waiting = []
    if waiting or not all(one.text for one in said):
        raise WrongError(f"{path}: an expectation without words, or without a line: {waiting}")
    return Input(
        path,
        "\n".join(kept),
        shlex.split(settings["s2s"][0][0]),
        tuple(said),
        tuple(words for words, _ in settings.get("not said", ())),
        tuple(words for words, _ in settings.get("all", ())),
        (*settings.get("text", ()), *((words, 0) for words, _ in settings.get("no text", ()))),
        "stays" in settings,
        "run" in settings,
    )


def body(path: Path) -> str:
    """What stands between the braces of an input's first function."""
    return read(path).text.partition("\n{\n")[2].partition("\n}\n")[0]


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def check(path: Path, folder: Path, *, renew: bool = RENEW) -> None:
    """Run s2s on an input in an empty folder. Raises WrongError where it does something else."""
    given = read(path)
    source = folder / path.name
    source.write_bytes(_encoded(given.text))
    explain = given.command[:1] == ["explain"]
    arguments, flags = _split(given.command[explain:])
    flags = [*flags, f"-iquote{path.parent}", f"-iquote{ROOT / 'tests'}"]
    if explain:
        status, printed, complaints = _run_s2s("explain", source, arguments, flags)
        _check_status(status, complaints, given.said)
        _check_said(given, list(_said_in(printed)))
        expected = path.with_suffix(".expected.txt")
        if expected.exists() or not (given.said or given.not_said or given.all_of):
            _compare(expected, printed.replace(f"{folder}/", ""), renew)
        return
    (folder / "out").mkdir()
    arguments = ["-o", f"{folder / 'out'}/", "--remarks=json", *arguments]
    status, _, complaints = _run_s2s("transform", source, arguments, flags)
    said = list(_all_said(complaints))
    _check_status(status, complaints, given.said)
    _check_said(given, said)
    if status == 0:
        _check_text(given, folder, flags, renew=renew)


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    middle = words.index("--") if "--" in words else len(words)
    return words[:middle], words[middle + 1 :]


def _run_s2s(
    command: str, source: Path, arguments: list[str], flags: list[str]
) -> tuple[int, str, str]:
    out, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaints):
        status = main([command, str(source), "--strict", *arguments, "--", *flags])
    return status, out.getvalue(), complaints.getvalue()


def _all_said(complaints: str) -> Iterator[Said]:
    """What was said, notes after what they belong to; ``complaints`` is one JSON array."""
    try:
        waiting = json.loads(complaints)
    except ValueError as error:
        raise WrongError(complaints) from error
    while waiting:
        said = waiting.pop(0)
        line = said["location"]["line"] if said["location"] else 0
        yield Said(said["severity"], f"{said['text']} [{said['id']}]", line)
        waiting = [*said["notes"], *waiting]


def _said_in(explanation: str) -> Iterator[Said]:
    """What was said after an explanation, which is as compilers print it."""
    for line, severity, text in _PRINTED.findall(explanation):
        yield Said(severity, text, int(line))


def _check_status(status: int, complaints: str, said: tuple[Said, ...]) -> None:
    wanted = int(any(expected.severity == "error" for expected in said))
    if status != wanted:
        raise WrongError(f"status {status} in place of {wanted}\n{complaints}")


def _check_said(given: Input, said: list[Said]) -> None:
    problems = [f"not said: {e}" for e in given.said if not any(_is(e, one) for one in said)]
    problems += [f"said: {one}" for one in said if any(w in one.text for w in given.not_said)]
    problems += [
        f"not expected: {one}"
        for one in said
        if any(words in one.text for words in given.all_of)
        and not any(_is(expected, one) for expected in given.said)
    ]
    if problems:
        raise WrongError("\n".join([f"{given.path}:", *problems, "what is said:", *map(str, said)]))


def _is(expected: Said, said: Said) -> bool:
    return (
        expected.severity == said.severity
        and expected.text in said.text
        and expected.line in (0, said.line)
    )


def _check_text(given: Input, folder: Path, flags: list[str], *, renew: bool) -> None:
    (changed,) = (f for f in (folder / "out").iterdir() if f.stem == given.path.stem)
    text = _decoded(changed.read_bytes())
    expected = given.path.with_suffix(f".expected{changed.suffix}")
    if given.stays:
        if text != given.text:
            raise WrongError(f"{given.path} does not stay as it is:\n{text}")
        if expected.exists():
            raise WrongError(f"{expected}: but {given.path.name} stays as it is")
    elif text == given.text:
        raise WrongError(f"{given.path} stays as it is")
    else:
        _compare(expected, text.lstrip("\n"), renew)
    for words, times in given.texts:
        if (words not in text) if times is None else (text.count(words) != times):
            raise WrongError(f"{given.path}: {text.count(words)} times in the new text: {words}")
    if given.run and text != given.text:
        flags = [*flags, "-ffp-contract=off", "-w"]
        if wrong := printed_otherwise(folder / given.path.name, changed, flags):
            raise WrongError(wrong)


def _compare(expected: Path, text: str, renew: bool) -> None:
    old = _decoded(expected.read_bytes()) if expected.exists() else None
    if old == text:
        return
    if renew:
        expected.write_bytes(_encoded(text))
    else:
        import difflib

        lines = difflib.unified_diff(
            (old or "").splitlines(), text.splitlines(), str(expected), "what s2s says", lineterm=""
        )
        raise WrongError("\n".join([*lines, "'make renew-tests' renews expected files"]))


def printed_otherwise(source: Path, changed: Path, flags: list[str]) -> str:
    """What a new version of a program prints where it is not what the source prints, or nothing.

    How many threads there are matters to OpenMP alone.
    """
    plain = ["-O0" if flag.startswith("-O") else flag for flag in flags]
    old = compiled(source, plain, source.with_suffix(".x"))
    new = compiled(changed, flags, changed.with_name(f"new_{changed.stem}.x"))
    wanted = printed(old, 1)
    for threads in _THREADS if b"omp" in changed.read_bytes() else _THREADS[:1]:
        if (got := printed(new, threads)) != wanted:
            return f"{threads} threads print:\n{got}\nin place of:\n{wanted}"
    return ""


def compiled(source: Path, flags: list[str], target: Path) -> Path:
    """Compile a program with gcc or g++."""
    compiler = "g++" if source.suffix == ".cpp" else "gcc"
    command = [shutil.which(compiler) or compiler, *flags, str(source), "-o", str(target), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise WrongError(f"{source.name} does not compile:\n{done.stderr}")
    return target


def printed(binary: Path, threads: int) -> str:
    """What a program prints with so many threads."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(
        [str(binary)], env=environment, capture_output=True, text=True, timeout=60
    )
    if done.returncode:
        raise WrongError(f"{binary.name}: status {done.returncode}\n{done.stderr}")
    return done.stdout
