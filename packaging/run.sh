#!/bin/sh
# Set up what is missing, then start Bellek with the arguments:
#   sh packaging/run.sh                      the window, or the terminal chat without a display
#   sh packaging/run.sh ask "..." --json     any command of `bellek`
#   sh packaging/run.sh --with-local ...     also install the runtime for GGUF model files
#   sh packaging/run.sh --with-references ...  also install pandoc, which formats lists of references
#   sh packaging/run.sh --with-ocr ...       also install Tesseract, which reads scanned pages
#   sh packaging/run.sh --with-sync ...      also install what synchronises through PostgreSQL
#   sh packaging/run.sh --with-mcp ...       also install what speaks with other programs (bellek mcp, bellek tools)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
lean=yes # without the docstrings of packages: 5 MB less in the window, and a start 5 % sooner
. "$root/packaging/setup.sh"

command_of() { # the command among the arguments; "window" where there is none
    while [ $# -gt 0 ]; do
        case $1 in
        --data-dir | --profile | --lang) [ $# -lt 2 ] || shift ;;
        --self-test) echo "$1" && return ;;
        -h | --help | --version) echo help && return ;;
        -*) ;;
        *) echo "$1" && return ;;
        esac
        shift
    done
    echo window
}

extras=
for extra in local references ocr sync mcp; do
    if grep -qx $extra "$installed" 2>/dev/null; then extras="$extras $extra"; fi # asked for once is asked for
done
while :; do
    case ${1:-} in --with-local | --with-references | --with-ocr | --with-sync | --with-mcp) extras="$extras ${1#--with-}" ;; *) break ;; esac
    shift
done
for lock in ${extras:-requirements}; do install_lock "$lock"; done

command=$(command_of "$@")
if [ "$command" = window ] && [ "$(uname)" = Linux ] &&
    [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; then
    say "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): opening the terminal chat."
    command=chat
    set -- chat "$@"
fi
missing=
case " $extras " in *" local "*) need_local ;; esac
case $command in window | bench | --self-test) need_qt ;; esac
install_missing || say "Going on without; the window may not open. The commands work: sh $0 chat"
case $command in window | bench | --self-test) compile_translations ;; esac

# -P: a file of the working directory must not count as a module of ours.
# A variable, so that its own processes are as lean.
PYTHONPATH=$root PYTHONOPTIMIZE=2 exec "$py" -P -m desktop "$@"
