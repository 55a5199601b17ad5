#!/bin/sh
# Update the window's catalogs from its code, and compile them. Untranslated texts are
# marked as unfinished, and a test fails.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/packaging/setup.sh"
cd "$root"
install_lock requirements
missing=
need_qt
install_missing || die "Then run this again."

extract() { # LANGUAGE [OPTION]
    # shellcheck disable=SC2046  # paths of ours, without spaces
    "$(site_packages)/PySide6/lupdate" -silent -no-obsolete -locations none -source-language en -target-language "$1" \
        ${2:-} $(find desktop/ui -name '*.py' | LC_ALL=C sort) -ts "i18n/bellek_$1.ts"
}
extract tr
extract en -pluralonly # the rest of English stands in the code
compile_translations
grep -c 'type="unfinished"' i18n/*.ts | while IFS=: read -r catalog count; do
    [ "$count" = 0 ] || say "$catalog: $count to translate"
done
