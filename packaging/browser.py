"""Pack the browser extension: one archive for Chromium, one for Firefox.

Run `python packaging/browser.py [FOLDER]`; without a folder it writes to dist/. The same content
always gives the same bytes.
"""

import json
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

HERE = Path(__file__).parent / "browser"
ICONS = Path(__file__).parents[1] / "resources" / "icons"
_LEFT_OUT = {
    "chromium": ("background.scripts", "browser_specific_settings"),
    "firefox": ("background.service_worker",),
}
BROWSERS = tuple(_LEFT_OUT)


def contents(browser: str) -> dict[str, bytes]:
    """Return the files of the extension by name; the browsers differ in the manifest."""
    files = {
        file.relative_to(HERE).as_posix(): file.read_bytes()
        for file in sorted(HERE.rglob("*"))
        if file.is_file()
    }
    manifest = json.loads(files["manifest.json"])
    for field in _LEFT_OUT[browser]:
        *path, last = field.split(".")
        holder = manifest
        for name in path:
            holder = holder[name]
        del holder[last]
    icons = {*manifest["icons"].values(), *manifest["action"]["default_icon"].values()}
    files |= {icon: (ICONS / Path(icon).name).read_bytes() for icon in sorted(icons)}
    files["manifest.json"] = json.dumps(manifest, ensure_ascii=False, indent=2).encode()
    return files


def pack(folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    packed = [folder / f"bellek-button-{browser}.zip" for browser in BROWSERS]
    for browser, target in zip(BROWSERS, packed, strict=True):
        with ZipFile(target, "w", ZIP_DEFLATED) as archive:
            for name, content in contents(browser).items():
                archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return packed


if __name__ == "__main__":
    for file in pack(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")):
        print(file)
