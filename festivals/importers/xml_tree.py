"""XML by the standard library's expat, with all that a document could do beside holding text refused."""

from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate
from xml.parsers.expat.errors import XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, messages

from places.importers.rows import MIB, ImportRefused

DEEPEST = 50
_CUT_OFF = {XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN}


class _Bounded(TreeBuilder):
    """Builds the tree; refuses depth and length that no schedule has."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0
        self._length = 0

    def start(self, tag: str, attributes: dict[str, str]) -> Element:
        self._depth, self._length = self._depth + 1, 0
        if self._depth > DEEPEST:
            raise ImportRefused(f"its elements are nested more than {DEEPEST} deep; this is no schedule")
        return super().start(tag, attributes)

    def end(self, tag: str) -> Element:
        self._depth, self._length = self._depth - 1, 0
        return super().end(tag)

    def data(self, text: str) -> None:
        self._length += len(text)
        if self._length > MIB:
            raise ImportRefused("it has a value of more than 1 MiB; no fact of an event is that long")
        super().data(text)


def tree(text: str) -> Element:
    """The document's root. Raises ImportRefused for what is no well-formed XML, and for a document type, whose entities could name files or swell."""
    builder, parser = _Bounded(), ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = builder.start, builder.end, builder.data
    try:
        parser.Parse(text.encode(), True)
    except ExpatError as error:
        said = messages[error.code]
        cut = "; it was cut off, so fetch it again" if said in _CUT_OFF else ""
        raise ImportRefused(f"line {error.lineno}: the file is no XML ({said}){cut}") from error
    return builder.close()


def _refuse(*_declared: object) -> NoReturn:
    raise ImportRefused(
        "it declares a document type (DOCTYPE), which is refused since its entities may name files or swell; take the declaration out"
    )
