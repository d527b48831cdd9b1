"""Text from documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element as Element

# What a document may unpack to. More is a trap rather than a document.
MOST_BYTES = 200 * 2**20
PLAIN = {"", ".txt", ".md", ".rst", ".csv", ".tsv", ".json", ".xml", ".log", ".yaml", ".yml", ".py", ".tex"}


def extract_text(path: str | Path) -> str:
    """Extract the text of a document: PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, HTML, e-mail, plain text.

    Paragraphs are lines; pages, slides and sheets are separated by an empty line. A scanned PDF holds pictures, not text,
    and gives "".

    >>> print(extract_text("report.pdf")[:2000])
    """
    file = Path(path)
    kind = file.suffix.lower()
    reader = READERS.get(kind)
    if reader:
        return reader(file)
    if kind in PLAIN:
        return _decode(file.read_bytes())
    raise ValueError(f"{file.name}: extract_text does not know {kind} files.")


def _pdf(file: Path) -> str:
    from pypdf import PdfReader

    return _join(page.extract_text() or "" for page in PdfReader(file).pages)


def _word(file: Path) -> str:
    return "\n".join(_paragraphs(_member(file, "word/document.xml"), "p", "t", "tab"))


def _slides(file: Path) -> str:
    names = [name for name in _names(file) if re.fullmatch(r"ppt/slides/slide\d+\.xml", name)]
    names.sort(key=lambda name: int(re.sub(r"\D", "", name)))
    return _join("\n".join(_paragraphs(_member(file, name), "p", "t", "tab")) for name in names)


def _workbook(file: Path) -> str:
    from openpyxl import load_workbook

    book = load_workbook(file, read_only=True, data_only=True)
    sheets = []
    for sheet in book.worksheets:
        rows = (
            "\t".join("" if cell is None else str(cell) for cell in row) for row in sheet.iter_rows(values_only=True)
        )
        sheets.append("\n".join([f"# {sheet.title}", *(row for row in rows if row.strip())]))
    return _join(sheets)


def _open_document(file: Path) -> str:
    root = _xml(_member(file, "content.xml"))
    found = root.iter("{*}p", "{*}h")
    return "\n".join(text for one in found if (text := "".join(one.itertext()).strip()))


def _epub(file: Path) -> str:
    names = sorted(name for name in _names(file) if name.endswith((".xhtml", ".html", ".htm")))
    return _join(_html_text(_member(file, name)) for name in names)


def _html(file: Path) -> str:
    return _html_text(file.read_bytes())


def _mail(file: Path) -> str:
    from email import message_from_bytes, policy

    message = message_from_bytes(file.read_bytes(), policy=policy.default)
    body = message.get_body(("plain", "html"))
    text = body.get_content() if body else ""
    if body and body.get_content_type() == "text/html":
        text = _html_text(text.encode())
    head = [f"{name}: {message[name]}" for name in ("From", "To", "Date", "Subject") if message[name]]
    return _join(["\n".join(head), text])


def _html_text(markup: bytes) -> str:
    from bs4 import BeautifulSoup

    page = BeautifulSoup(markup, "lxml")
    for unseen in page(["script", "style", "noscript", "template"]):
        unseen.decompose()
    return "\n".join(line for line in (raw.strip() for raw in page.get_text("\n").splitlines()) if line)


def _paragraphs(xml: bytes, paragraph: str, text: str, tab: str) -> list[str]:
    lines = []
    for one in _xml(xml).iter(f"{{*}}{paragraph}"):
        parts = [
            ("\t" if node.tag.endswith(f"}}{tab}") else node.text or "")
            for node in one.iter(f"{{*}}{text}", f"{{*}}{tab}")
        ]
        if line := "".join(parts).strip():
            lines.append(line)
    return lines


def _xml(markup: bytes) -> Element:
    from lxml import etree

    return etree.fromstring(markup, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False))


def _names(file: Path) -> list[str]:
    with ZipFile(file) as archive:
        return archive.namelist()


def _member(file: Path, name: str) -> bytes:
    with ZipFile(file) as archive, archive.open(name) as member:
        content = member.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"{file.name}: {name} unpacks to more than {MOST_BYTES // 2**20} MB.")
    return content


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _join(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in (one.strip() for one in parts) if part)


READERS = {
    ".pdf": _pdf,
    ".docx": _word,
    ".pptx": _slides,
    ".xlsx": _workbook,
    ".xlsm": _workbook,
    ".odt": _open_document,
    ".odp": _open_document,
    ".epub": _epub,
    ".html": _html,
    ".htm": _html,
    ".xhtml": _html,
    ".eml": _mail,
}
