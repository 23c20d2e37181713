"""Reads Rust source for `.ci/prose`, `.ci/circles` and `.ci/measure`: comments, strings, test modules, fences."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True

root = pathlib.Path(__file__).resolve().parent.parent

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|b?c?r(?P<hashes>#*)".*?"(?P=hashes)'
    r'|[bc]?"(?:\\.|[^"\\])*"'
    r"|b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'\n])'",
    re.S,
)
TESTS = re.compile(r"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))? )?mod (\w+)\s*([{;])")


def rust(*folders: str) -> list[pathlib.Path]:
    """The Rust files below these folders of the repository."""
    found = (file for folder in folders for file in root.glob(f"{folder}/**/*.rs"))
    return sorted(file for file in found if not {"target", "corpus"} & set(file.relative_to(root).parts))


def blank(text: str) -> str:
    """The text with comments and the contents of literals replaced by spaces, so that lines and positions stay."""

    def spaces(match: re.Match[str]) -> str:
        found = match[0]
        quote = "" if found.startswith("/") else '"'
        return quote + re.sub(r"[^\n]", " ", found[len(quote) :])

    return TOKEN.sub(spaces, text)


def block_end(code: str, start: int) -> int:
    """The position after the brace that closes the one at `start`."""
    depth = 0
    for brace in re.finditer(r"[{}]", code[start:]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return start + brace.end()
    return len(code)


def split_tests(code: str) -> tuple[str, str, list[str]]:
    """Blanked code as the code itself, its `mod tests` blocks, and the names of test modules in other files."""
    tests, files = "", []
    while found := TESTS.search(code):
        end = found.end()
        if found[2] == "{":
            end = block_end(code, found.end() - 1)
            tests += code[found.start() : end] + "\n"
        else:
            files.append(found[1])
        code = code[: found.start()] + "\n" * code.count("\n", found.start(), end) + code[end:]
    return code, tests, files


def lines(text: str) -> int:
    """Lines that are not blank."""
    return sum(1 for line in text.splitlines() if line.strip())
