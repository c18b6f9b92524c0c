"""From a file to its pipeline: which generator or function, in what order its parts run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any

from s2s.frontends.halide.evaluate import ports
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.declarations import CLASSES, is_library
from s2s.frontends.halide.evaluate.funcs import FuncObject, as_func
from s2s.frontends.halide.evaluate.interpret import STEPS, Interpreter
from s2s.frontends.halide.evaluate.objects import Class, Finished, Instance, Stopped
from s2s.frontends.halide.evaluate.parse import parse
from s2s.frontends.halide.evaluate.syntax import Node, forget
from s2s.frontends.halide.evaluate.values import deref, describe
from s2s.frontends.halide.evaluate.world import World
from s2s.scop.errors import Illegal
from s2s.scop.pipeline import Pipeline
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

_DEEPEST = 50_000
_REGISTRATION = "s2s_generator_"


class Entry(IntEnum):
    """What a file has to begin with: a generator or ``main``, a function to call, nothing."""

    NONE = 0
    FUNCTION = 1
    PROGRAM = 2


def evaluate(
    path: str,
    data: bytes,
    flags: Sequence[str] = (),
    *,
    generator: str | None = None,
    parameters: Mapping[str, str] | None = None,
    steps: int = STEPS,
) -> Pipeline:
    """The pipeline that a C++ file builds.

    A file with generators gives that of ``generator`` (by its registered name; it may be left out
    where there is one), another file that of ``main``, or of its only function without
    parameters that asks for a pipeline. ``parameters`` are values of generator parameters and
    what is open about ports: ``schedule=2``, ``input.type=uint8``, ``input.dim=3``,
    ``target=host``. ``steps`` bounds the evaluation. Raises UserError.
    """
    buffer = SourceBuffer(path, data)
    unit = parse(buffer, flags)
    forget()
    world = World(parameters=dict(parameters or {}))
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))
    interpreter = Interpreter(buffer, unit, world, steps)
    try:
        return _Evaluation(interpreter, buffer).pipeline(generator)
    except Illegal as error:
        raise interpreter.refused(error) from None
    except RecursionError:
        raise interpreter.refused(Illegal("the program is nested too deeply")) from None


def program_in(path: str, data: bytes, flags: Sequence[str] = ()) -> Entry:
    """What a file has of its own for a program to begin with. Raises UserError."""
    buffer = SourceBuffer(path, data)
    unit = parse(buffer, flags)
    forget()
    found = Entry.NONE
    for node in Interpreter(buffer, unit, World(), STEPS).declarations:
        if node.place[0] != path or not node.cursor.is_definition():
            continue
        if node.kind in CLASSES and _is_generator(node):
            return Entry.PROGRAM
        if node.kind == "FUNCTION_DECL":
            if node.name == "main" or node.name.startswith(_REGISTRATION):
                return Entry.PROGRAM
            if not any(c.kind == "PARM_DECL" for c in node.children):
                found = Entry.FUNCTION
    return found


def _is_generator(node: Node) -> bool:
    """Whether a class is one of Halide's generators."""
    bases = [c for c in node.children if c.kind == "CXX_BASE_SPECIFIER"]
    return any("Halide::Generator<" in base.type for base in bases)


class _Evaluation:
    def __init__(self, interpreter: Interpreter, buffer: SourceBuffer) -> None:
        self.interpreter, self.buffer = interpreter, buffer
        self.world = interpreter.world

    def pipeline(self, generator: str | None) -> Pipeline:
        if "target" in self.world.parameters:
            self.world.used.add("target")
            self.world.target = ports.target_of(self.world.parameters["target"])
        found = dict(self._generators())
        if found:
            name = self._chosen(found, generator)
            made = self._generated(name, found[name])
        else:
            if generator is not None:
                raise self._error(f"no generator '{generator}' in this file")
            made = self._main()
        unused = sorted(set(self.world.parameters) - self.world.used)
        if unused:
            raise self._error(f"'{unused[0]}' is no parameter of this program")
        return made

    def _error(self, text: str) -> UserError:
        place = Location(self.buffer.path, 1, 1, 1, 1)
        return UserError(Diagnostic(Severity.ERROR, text, "halide", place))

    def _generators(self) -> Iterator[tuple[str, Class]]:
        """Registered generators by name; without any, classes that could be registered."""
        classes: list[tuple[str, Class]] = []
        registered = False
        for node in self.interpreter.declarations:
            if node.kind == "FUNCTION_DECL" and node.name.startswith(_REGISTRATION):
                registered = True
                pointer = node.children[0].cursor.type.get_canonical()
                class_ = self.interpreter.class_of(Node(pointer.get_pointee().get_declaration()))
                self._take_methods(class_, node)
                yield node.name.removeprefix(_REGISTRATION), class_
            elif node.kind in CLASSES and node.cursor.is_definition():
                class_ = self.interpreter.class_of(node)
                if class_.generates and "generate" in class_.methods:
                    classes.append((class_.name, class_))
        if not registered:
            yield from classes

    def _take_methods(self, class_: Class, registration: Node) -> None:
        """Methods that the registration calls: of a template, they are the instance's."""
        for call in registration.children[-1].children:
            called = call.referenced if call.kind == "CALL_EXPR" else None
            method = None if called is None else _called_method(called.definition or called)
            if method is not None and not is_library(method):
                class_.methods[method.name] = [method.definition or method]

    def _chosen(self, found: dict[str, Class], generator: str | None) -> str:
        names = ", ".join(found)
        if generator is None:
            if len(found) > 1:
                raise self._error(f"several generators: {names}; choose one with --generator")
            return next(iter(found))
        if generator not in found:
            raise self._error(f"no generator '{generator}' in this file; there is {names}")
        return generator

    def _generated(self, name: str, class_: Class) -> Pipeline:
        interpreter = self.interpreter
        start = class_.node.place
        if start[0] == self.buffer.path:
            self.world.at = Span(start[1], start[1] + len(class_.name))
        constructor = class_.method(class_.name, 0)
        instance = interpreter.instance(class_, constructor, [])
        returned: Any = None
        self.world.generating = True
        try:
            for step in ("configure", "generate", "build", "schedule"):
                method = class_.method(step, 0)
                if method is not None:
                    result = interpreter.invoke(method, [], instance)
                    returned = result if step == "build" else returned
                elif step == "generate" and class_.method("build", 0) is None:
                    raise Illegal(f"generator '{name}' has no method 'generate'")
        except Finished as finished:
            outputs = [as_func(self.world, o) for o in finished.outputs]
            return self._finished(name, outputs)
        return self._finished(name, self._outputs(instance, returned))

    def _outputs(self, instance: Instance, returned: Any) -> list[FuncObject]:
        """Outputs in the order of their declaration, as they are bound at the end."""
        found: list[FuncObject] = []
        values = [ref.get() for ref in instance.fields.values()]
        for kind, _, port in self.world.ports:
            if kind != "output":
                continue
            for one in port.items if isinstance(port, Items) else [port]:
                final = deref(one)
                if not any(v is final for v in values):
                    final = self.world.renamed.get(final.func.name, final)
                found.append(final)
        if not found and returned is not None:
            items = returned.items if isinstance(returned, Items) else [returned]
            outputs = getattr(returned, "outputs", items)
            found = [as_func(self.world, o) for o in outputs]
        return found

    def _main(self) -> Pipeline:
        functions = [
            n
            for n in self.interpreter.declarations
            if n.kind == "FUNCTION_DECL" and n.cursor.is_definition()
        ]
        chosen = [n for n in functions if n.name == "main"] or [
            n for n in functions if not any(c.kind == "PARM_DECL" for c in n.children)
        ][-1:]
        if not chosen:
            raise self._error("neither a generator nor a function 'main' in this file")
        count = sum(c.kind == "PARM_DECL" for c in chosen[0].children)
        arguments = [1, Items(["program"], None, lambda: "")][:count]
        result: Any = None
        try:
            result = self.interpreter.invoke(chosen[0], arguments, None)
        except Finished as finished:
            outputs = [as_func(self.world, o) for o in finished.outputs]
            return self._finished(finished.name or outputs[0].func.name, outputs)
        except Stopped:
            pass
        if isinstance(result, FuncObject):
            return self._finished(result.func.name, [result])
        raise self._error(
            f"'{chosen[0].name}' asks for no pipeline: neither realize nor compile_to is called"
        )

    def _finished(self, name: str, outputs: list[FuncObject]) -> Pipeline:
        if not outputs:
            raise Illegal(f"'{name}' has no outputs")
        world = self.world
        for output in outputs:
            if not isinstance(output, FuncObject):
                raise Illegal(f"{describe(output)} is no output")
            if output.func.definition is None:
                raise Illegal(f"output '{output.func.name}' has no definition", output.func.at)
        self._check_names()
        for buffer in world.tables:
            buffer.finish()
        return Pipeline(
            name,
            [o.func.name for o in outputs],
            {n: f for n, f in world.program.funcs.items() if f.definition is not None},
            world.images,
            world.scalars,
            world.program.estimates,
            world.requirements,
            world.generator_parameters,
        )

    def _check_names(self) -> None:
        """Refuse scalars with the name of a variable: in expressions these are told by name."""
        for func in self.world.program.funcs.values():
            for name in func.vars:
                if name in self.world.scalars:
                    raise Illegal(f"a Var and a scalar parameter are both called '{name}'", func.at)


def _called_method(node: Node) -> Node | None:
    """The method that a function of the registration calls."""
    for child in node.children:
        if child.kind == "CALL_EXPR":
            called = child.referenced
            return called if called is not None and called.kind == "CXX_METHOD" else None
        found = _called_method(child)
        if found is not None:
            return found
    return None
