#!/bin/sh
# Build a program that needs no Python in dist/bellek, and run its self-test under Xvfb.
# --with-local adds the runtime for GGUF model files (100 MB), --with-references pandoc (180 MB), --with-ocr Tesseract (20 MB),
# --with-sync what synchronises through PostgreSQL (15 MB), --with-mcp what speaks with other programs (15 MB).
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
venv_name=.venv-build # without the tests' packages, so that none of them slips in
. "$root/packaging/setup.sh"
cd "$root"

install_lock build
for extra in "$@"; do
    case $extra in --with-local | --with-references | --with-ocr | --with-sync | --with-mcp) install_lock "${extra#--with-}" ;; esac
done
missing=
need_qt
need_local
need_program objdump binutils
"$py" -c 'import ctypes, sysconfig; ctypes.CDLL(sysconfig.get_config_var("INSTSONAME"))' 2>/dev/null ||
    missing="$missing libpython$("$py" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
need_program Xvfb xvfb
install_missing || die "Then run this again."
compile_translations

"$py" -m PyInstaller --noconfirm --clean --log-level WARN --distpath dist --workpath build packaging/bellek.spec

id=app.bellek.Bellek
share=dist/bellek/share
mkdir -p $share/applications $share/metainfo
cp packaging/$id.desktop $share/applications/
cp packaging/$id.metainfo.xml $share/metainfo/
for size in 16 24 32 48 64 128 256 512; do
    hicolor=$share/icons/hicolor/${size}x$size/apps
    mkdir -p $hicolor
    cp resources/icons/bellek-$size.png $hicolor/$id.png
done
mkdir -p $share/icons/hicolor/scalable/apps
cp resources/icons/bellek.svg $share/icons/hicolor/scalable/apps/$id.svg
say "dist/bellek: $(du -sh dist/bellek | cut -f 1)"

start_display
dist/bellek/bellek --self-test
