# What run.sh, test.sh and build.sh share; sourced with $root set. Everything said goes to stderr,
# so that a command's own stdout stays clean.
# shellcheck shell=sh disable=SC2154,SC2086  # $root is the caller's; $missing and $quiet are lists of words

venv=$root/${venv_name:-.venv}
py=$venv/bin/python
unfinished=$venv/.unfinished # there while something is being installed: a set-up cut short starts over
installed=$venv/.installed   # the checksum of the locks, then the name of each lock installed from them

say() { printf '%s\n' "$*" >&2; }
die() { say "$*" && exit 1; }

# apt -------------------------------------------------------------------------------------------

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

apt_install() { # PACKAGE...; false, with the command to run, where it may not or cannot
    command -v apt-get >/dev/null || {
        say "Please install with your system's package manager (Debian's names): $*"
        return 1
    }
    if [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; then
        say "Installing with apt: $*"
        [ -n "${is_updated:-}" ] || as_root apt-get update -qq >/dev/null ||
            say "apt-get update did not succeed; trying with what is known."
        is_updated=yes
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -qq -y --no-install-recommends "$@" >/dev/null </dev/null && return 0
    fi
    say "Missing on this system. Please run:" "  sudo apt-get install $*"
    return 1
}

need_program() { # PROGRAM PACKAGE
    command -v "$1" >/dev/null || missing="$missing $2"
}

# Python ----------------------------------------------------------------------------------------

find_python() {
    for python in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return 0
    done
    die "Bellek needs Python 3.11 or newer and finds none (python3: $(python3 --version 2>/dev/null || echo none))." \
        "Install one (Debian: sudo apt-get install python3) or name it: PYTHON=/path/to/python3 sh $0"
}

venv_works() { # false also where the Python behind it was removed or replaced by another version
    [ ! -e "$unfinished" ] && "$py" -c \
        'import sys; sys.exit(not any(p.endswith("site-packages") for p in sys.path))' 2>/dev/null
}

make_venv() {
    find_python
    say "Setting up $venv with $("$python" --version) ..."
    rm -rf "$venv"
    mkdir "$venv" && : >"$unfinished"
    "$python" -m venv --without-pip "$venv" >&2 || die "Then run this again."
    # `venv` would have pip install itself, which takes five seconds.
    unpack_pip || fetch_pip && return 0
    # Debian splits the venv module's pip off into a package of its own.
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    apt_install "python$version-venv" && unpack_pip && return 0
    "$python" -m venv --clear "$venv" >&2 && : >"$unfinished" && return 0
    die "Then run this again."
}

unpack_pip() { # the one that Python brings, or Debian's or Fedora's
    bundled=$("$python" -c 'import ensurepip; print(ensurepip.__path__[0])' 2>/dev/null) || bundled=
    for wheel in "$bundled"/_bundled/pip-*.whl /usr/share/python-wheels/pip-*.whl; do
        [ ! -f "$wheel" ] || "$py" -m zipfile -e "$wheel" "$(site_packages)" && pip_works && return 0
    done
    return 1
}

fetch_pip() { # apt-get download needs no root, and apt checks the signature
    (
        cd "$venv" && apt-get download -qq python3-pip-whl >&2 && dpkg-deb -x python3-pip-whl_*.deb pip-deb &&
            "$py" -m zipfile -e pip-deb/usr/share/python-wheels/pip-*.whl "$(site_packages)"
    ) 2>/dev/null && pip_works && say "pip comes from the package python3-pip-whl, unpacked in .venv."
}

pip_works() { "$py" -m pip --version >/dev/null 2>&1; }

has_lock() { # NAME; true where it is installed and no lock file has changed since
    venv_works && [ "$(head -n 1 "$installed" 2>/dev/null)" = "$locks" ] && grep -qx "$1" "$installed"
}

has_locks() { # NAME...
    for name in "$@"; do has_lock "$name" || return; done
}

install_lock() { # NAME... of locks; beside them what $missing names, where the caller knows it already
    locks=$(cat "$root/requirements.lock" "$root"/packaging/locks/*.lock | cksum)
    has_locks "$@" && return 0
    one_at_a_time
    has_locks "$@" || fill_venv "$@"
    exec 9<&-
}

one_at_a_time() { # pip holds this too: where only the shell was killed, its pip is waited for
    exec 9<"$root/packaging"
    command -v flock >/dev/null || return 0
    flock -n 9 || { say "Another set-up is at work here; waiting for it ..." && flock 9; }
}

fill_venv() {
    { venv_works && pip_works; } || make_venv
    for name in "$@"; do
        case $name in requirements) file=requirements.lock ;; *) file=packaging/locks/$name.lock ;; esac
        say "Installing $file ($(grep -c '==' "$root/$file") in all; only what is missing) ..."
        cat "$root/$file"
    done | awk -v half="$venv/half-" '/^[^ ]/ { number++ } { print >(half number % 2) }'
    quiet=-q
    [ ! -t 2 ] || quiet=
    : >"$unfinished"
    pip_install "$venv/half-1" $quiet & # pip uses one core
    first=$!
    pip_install "$venv/half-0" -q &
    second=$!
    [ -z "${missing:-}" ] || install_missing || true # whoever needs it asks once more
    wait $first && wait $second ||
        die "The packages could not be installed (see above). Check the connection, then run this again."
    # Else the first start would wait for it, and pip does it on one core; what does not compile is no
    # part of what is started. Tests are many starts, and compile the third of it that they import.
    [ -z "${lean:-}" ] || "$py" -OO -m compileall -qq -j 0 "$(site_packages)" >&2 || true
    [ "$(head -n 1 "$installed" 2>/dev/null)" = "$locks" ] || echo "$locks" >"$installed"
    printf '%s\n' "$@" >>"$installed"
    rm "$unfinished"
}

pip_install() { # FILE [-q]; the locks are complete, so pip has nothing to resolve
    "$py" -m pip install --no-compile --require-hashes --no-deps --only-binary :all: \
        --disable-pip-version-check -r "$@" >&2
}

# System libraries ------------------------------------------------------------------------------

site_packages() {
    echo "$venv"/lib/python3.*/site-packages
}

need_libraries_of() { # FILE...; adds to $missing what they want and this Linux does not have
    [ "$(uname)" = Linux ] || return 0
    for library in $(ldd "$@" 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | sort -u); do
        missing="$missing $(package_of "$library")"
    done
}

need_qt() {
    qt=$(site_packages)/PySide6
    need_libraries_of "$qt/QtWidgets.abi3.so" "$qt/Qt/plugins/platforms/libqxcb.so" "$qt/lrelease" \
        ${WAYLAND_DISPLAY:+"$qt/Qt/plugins/platforms/libqwayland.so"}
    has_font || missing="$missing fonts-dejavu-core"
}

need_local() { # what serves a model file, where it is installed
    need_libraries_of "$(site_packages)"/xllamacpp/*.so
}

has_font() {
    [ "$(uname)" != Linux ] || find -L /usr/share/fonts /usr/local/share/fonts "$HOME/.fonts" \
        "$HOME/.local/share/fonts" -name '*.[to]t[fc]' 2>/dev/null | grep -q .
}

package_of() { # the Debian package of a shared library
    case $1 in
    libxcb-util.so.1) echo libxcb-util1 ;;
    libxcb*.so.* | libX11*.so.* | libxkbcommon*.so.* | libwayland-*.so.* | libEGL.so.* | libGL.so.* | libfontconfig.so.*)
        echo "$1" | tr '[:upper:]' '[:lower:]' | sed 's/\([0-9]\)\.so\./\1-/; s/\.so\.//' ;;
    libdbus-1.so.3) echo libdbus-1-3 ;;
    libglib-2.0.so.0 | libgthread-2.0.so.0 | libgobject-2.0.so.0 | libgio-2.0.so.0) echo libglib2.0-0 ;;
    libgssapi_krb5.so.2) echo libgssapi-krb5-2 ;;
    libkrb5.so.3) echo libkrb5-3 ;;
    libk5crypto.so.3) echo libk5crypto3 ;;
    libfreetype.so.6) echo libfreetype6 ;;
    libz.so.1) echo zlib1g ;;
    libstdc++.so.6) echo libstdc++6 ;;
    libgomp.so.1) echo libgomp1 ;;
    libgcc_s.so.1) echo libgcc-s1 ;;
    libbrotli*.so.1) echo libbrotli1 ;;
    libzstd.so.1) echo libzstd1 ;;
    *) say "No package is known for $1; the window may not open without it." ;;
    esac
}

has_turkish_locale() { # or can have: see make_turkish_locale
    [ "$(uname)" != Linux ] || [ -f /usr/share/i18n/locales/tr_TR ] || locale -a 2>/dev/null | grep -qi '^tr_TR\.utf-*8$'
}

make_turkish_locale() { # in $venv, as a system's own locales need root
    locale -a 2>/dev/null | grep -qi '^tr_TR\.utf-*8$' && return
    command -v localedef >/dev/null || return 0
    mkdir -p "$venv/locales"
    [ -d "$venv/locales/tr_TR.UTF-8" ] || localedef -i tr_TR -f UTF-8 "$venv/locales/tr_TR.UTF-8" >&2 || return 0
    export LOCPATH="$venv/locales"
}

install_missing() {
    missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
    [ -z "${missing# }" ] || apt_install $missing
}

compile_translations() {
    for ts in "$root"/i18n/*.ts; do
        qm=${ts%.ts}.qm
        [ -f "$ts" ] || continue
        [ ! -f "$qm" ] || [ -n "$(find "$ts" -newer "$qm")" ] || continue
        "$(site_packages)/PySide6/lrelease" -silent "$ts" -qm "$qm" >&2 ||
            say "The translations could not be compiled; the window speaks English."
    done
}

# A display of one's own --------------------------------------------------------------------------

# An X server without a screen, for as long as this script runs. Its number is its own: the lowest
# free one may be that of a server that is just going, which takes the socket of the new one with it.
start_display() {
    displays=$((${displays:-0} + 1))
    fifo=$(mktemp -u) && mkfifo "$fifo"
    Xvfb ":$((1000 + $$ % 10000 * 5 + displays))" -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$fifo" 2>/dev/null &
    display_pids="${display_pids:-} $!"
    trap 'kill $display_pids 2>/dev/null || true' EXIT
    trap 'exit 130' INT TERM
    read -r number <"$fifo" || die "Xvfb did not start."
    rm "$fifo"
    DISPLAY=:$number
    export DISPLAY
    unset WAYLAND_DISPLAY
}
