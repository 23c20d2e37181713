"""The examples of the docstrings and of the pages are run, and the stubs name what is there."""

import ast
import doctest
import inspect
import io
import pathlib
import re
import struct

import pytest
import vgio.quake.mdl

import quakefs

PACKAGE = pathlib.Path(quakefs.__file__).parent


def public():
    for name in quakefs.__all__:
        thing = getattr(quakefs, name)
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                # fields of a dataclass are explained in its source
                is_field = inspect.ismemberdescriptor(value)
                if not is_field and (not member.startswith("_") or member in ("__getitem__",)):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize(("name", "thing"), [pytest.param(*case, id=case[0]) for case in public()])
def test_what_is_public_is_documented_and_its_examples_hold(name, thing):
    text = inspect.getdoc(thing) or ""
    if not isinstance(getattr(thing, "__objclass__", None), type) or name.count(".") < 2:
        assert text or name in ("Engine", "Host"), f"{name} has no docstring"
    names = {"quakefs": quakefs, "PakFile": quakefs.PakFile, "is_pakfile": quakefs.is_pakfile, "io": io}
    test = doctest.DocTestParser().get_doctest(text or "", names, name, None, None)
    output = []
    doctest.DocTestRunner().run(test, out=output.append)
    assert not output, "".join(output)


def test_the_stub_names_all_that_is_there():
    stub = ast.parse((PACKAGE / "_quakefs.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    native = quakefs._quakefs
    for name, thing in vars(native).items():
        if name.startswith("__"):
            continue
        if not inspect.isclass(thing):
            assert name in functions, name
        elif not issubclass(thing, Exception):
            said = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
            said |= {node.target.id for node in classes[name].body if isinstance(node, ast.AnnAssign)}
            there = {member for member in vars(thing) if not member.startswith("__")}
            assert said - {"__init__"} - set(dir(thing)) == set() and there - said == set(), name


def test_the_page_holds():
    page = pathlib.Path("docs/python.md")
    failed, tried = doctest.testfile(str(page.resolve()), module_relative=False, globs={"quakefs": quakefs})
    assert tried > 5 and failed == 0


def a_model(grouped: bool) -> bytes:
    """A triangle, in one frame or in a group of two, with one skin or a group of two."""
    skin = bytes(4 * 2)
    frame = bytes(8) + b"frame".ljust(16, b"\0") + bytes([0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 2, 0])
    return b"".join(
        [
            struct.pack("<4si10f", b"IDPO", 6, 0.5, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 0),
            struct.pack("<8if", 1, 4, 2, 3, 1, 1, 0, 0, 1),
            struct.pack("<2i2f", 1, 2, 0.1, 0.2) + 2 * skin if grouped else struct.pack("<i", 0) + skin,
            bytes(3 * 12),
            struct.pack("<4i", 1, 0, 1, 2),
            struct.pack("<2i", 1, 2) + bytes(8) + struct.pack("<2f", 0.1, 0.2) + 2 * frame
            if grouped
            else struct.pack("<i", 0) + frame,
        ]
    )


@pytest.mark.parametrize("grouped", [False, True])
def test_the_script_of_the_page_imports_a_model_into_blender(tmp_path, grouped):
    bpy = pytest.importorskip("bpy")
    (tmp_path / "id1/progs").mkdir(parents=True)
    path = tmp_path / "id1/progs/ogre.mdl"
    path.write_bytes(a_model(grouped))
    (code,) = re.findall(r"```python\n(import bpy\n.*?)```", pathlib.Path("docs/python.md").read_text(), re.DOTALL)
    assert len(code.splitlines()) <= 12
    exec(code.replace("/games/quake", str(tmp_path)).replace(', games="ad"', ""), {})
    mesh = bpy.data.objects["ogre"].data
    with vgio.quake.mdl.Mdl.open(str(path)) as theirs:
        frame = theirs.frames[0].frames[0] if grouped else theirs.frames[0]
        points = [[part * 0.5 for part in vertex[:]] for vertex in frame.vertexes]
        faces = [[points[at] for at in triangle.vertexes[::-1]] for triangle in theirs.triangles]
    assert [[list(mesh.vertices[at].co) for at in face.vertices] for face in mesh.polygons] == faces
    assert faces == [[[0, 2, 1], [2, 0, 0], [0, 0, 0]]]
    assert len(mesh.uv_layers.active.data) == 3
    bpy.data.objects.remove(bpy.data.objects["ogre"])
