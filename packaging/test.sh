#!/bin/sh
# Set up what is missing and run every check, cheapest first; --quick leaves out what opens windows,
# --coverage counts the lines that ran, which makes all of it a third slower.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/packaging/setup.sh"
cd "$root"
quick=
coverage=
case "${1:-}" in
    --quick) quick=yes ;;
    --coverage) coverage=yes ;;
esac

# The tests bring their own endpoint, folders and language.
unset ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL BELLEK_MODEL BELLEK_DATA_DIR PYTHONPATH \
    QT_QPA_PLATFORM QT_SCALE_FACTOR WAYLAND_DISPLAY DISPLAY DISPLAYS
unset PYTHONDONTWRITEBYTECODE # else each of a hundred starts compiles the whole package anew

missing=
need_display() {
    [ -n "$quick" ] || need_program Xvfb xvfb
    [ -n "$quick" ] || need_program xdotool xdotool
    [ -n "$quick" ] || has_turkish_locale || missing="$missing locales"
}
need_display # these bring most of what Qt needs, and are installed while pip is at work
install_lock test weights
missing=
need_display
need_qt # pytest-qt loads Qt at every start, for unit tests too
need_local
install_missing & # no check needs it
libraries=$!

step() { # NAME COMMAND...
    say "== $1"
    shift
    "$@"
}
checked() { # pytest rewrites what a test asserts so that a failure shows its values: for failures only
    "$py" -m ${coverage:+coverage run -m} pytest -q ${rewrites:---assert=plain} "$@"
}

in_memory() { # COMMAND...: thousands of tests make a database each and need not wait for a disk
    room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
    if [ "${room:-0}" -lt 1000000 ] || [ ! -w /dev/shm ]; then
        "$@"
    else
        memory=$(mktemp -d /dev/shm/bellek-tests.XXXXXX)
        chmod 755 "$memory" # as /tmp: some tests run a child as somebody else
        TMPDIR=$memory "$@" || return # where a test fails its files stay, to be looked at
        rm -rf "$memory"
    fi
}

# Windows, threads, processes and signals on a machine that does other things too: what fails is run
# once more, by itself and in sight.
patient_step() { # NAME COMMAND...
    step "$@" || {
        shift
        rewrites=--assert=rewrite step "once more, what failed" "$@" --last-failed -n 0
    }
}

rm -f .coverage .coverage.*
step format "$py" -m ruff format --check .
step lint "$py" -m ruff check .
step types "$py" -m mypy -n 2 desktop tests packaging/*.py packaging/training/*.py &
types=$! # it leaves a core to the next two for half of its time
step imports "$py" -c 'from importlinter.cli import lint_imports_command as main; main()'
step "dead code" "$py" -m vulture
wait "$types"
wait "$libraries" || die "Then run this again."
compile_translations
step unit in_memory checked -n 2 --dist loadgroup tests/unit tests/integration || {
    rewrites=--assert=rewrite step "the values of what failed" checked --last-failed -n 0 tests/unit tests/integration
    exit 1
}
[ -z "$quick" ] || exit 0
export QT_QPA_PLATFORM=offscreen
make_turkish_locale
TEST_TURN=$(git rev-list --count HEAD 2>/dev/null) || TEST_TURN=0 # tests/locales.py: in turn
export TEST_TURN
patient_step interface in_memory checked -n 3 tests/ui # one works while two wait for a timer
# Every kill is at another moment: one that lost something would be forgiven if it were run again.
step kills checked -n 2 -p no:cacheprovider tests/e2e/test_kill.py tests/e2e/kill &
kills=$!
# No figure is asserted, and a third process works while the others wait for their windows.
patient_step "benchmarks and hardening" in_memory checked -n 3 tests/hardening tests/bench
wait "$kills"
for _ in 1 2 3; do # one for each process that runs tests
    start_display
    DISPLAYS="${DISPLAYS:-} $DISPLAY"
done
export DISPLAYS QT_QPA_PLATFORM=xcb
others="--ignore tests/e2e/test_kill.py --ignore tests/e2e/kill tests/e2e"
# shellcheck disable=SC2086  # a list of words
patient_step "end to end" checked -n 3 --dist loadfile $others
[ -n "$coverage" ] || exit 0
step coverage "$py" -m coverage combine -q
rm -f .coverage.* # what a killed child left half written
"$py" -m coverage report --skip-covered --skip-empty
