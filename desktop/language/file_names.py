"""Names of files in a text."""

import re

_ENDINGS = """
bash bat bib bin bmp bz2 c cfg cpp cs css csv db dll doc docx eml env epub exe f90 gguf gif go gz
h html ini ipynb iso java jpeg jpg js json jsonl key kt lock log lua m4a md mdb mkv mov mp3 mp4
npy odp ods odt onnx parquet pdf php pkl png ppt pptx ps1 psd py r rar rb rs rst rtf sav sh sql
sqlite svg swift tar tex tif tiff toml ts tsv txt vue wav webm webp xls xlsx xml yaml yml zip
"""
_ENDING = "|".join(sorted(_ENDINGS.split(), key=len, reverse=True))
_FILE = re.compile(
    rf"(?<![\w/\\.@:-])(?:[A-Za-z]:)?(?:[\w.~-]*[/\\])*(?P<name>[\w-][\w.-]*\.(?:{_ENDING}))(?![\w/\\]|\.\w)",
    re.IGNORECASE,
)


def file_names(text: str) -> list[tuple[str, int, int]]:
    """Each with where it stands, its folders left out of the name and not of the place."""
    return [(match["name"], *match.span()) for match in _FILE.finditer(text)]
