#!/usr/bin/env bash
# Compiles the driver for every engine listed in $HEXREF_ENGINE_HOME/engines/NAME.cp, where its sources have changed since.
# Another VASSAL can be tested too: put its class path (its lib/*.jar, colon-separated) into such a file.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${HEXREF_ENGINE_HOME:-$HOME/.cache/hexref/engine}

for list in "$home"/engines/*.cp; do
  classes=$home/classes/$(basename "$list" .cp)
  sources=$(cat "$list" "$here"/driver/*.java | sha256sum)
  [ "$(cat "$classes/sources" 2>/dev/null)" = "$sources" ] && continue
  mkdir -p "$home/stubs" "$classes"
  find "$here/stubs" -name '*.java' -exec javac -d "$home/stubs" {} +
  javac -nowarn -proc:none -XDsuppressNotes -cp "$(cat "$list")" -d "$classes" "$here"/driver/*.java
  echo "$sources" >"$classes/sources"
done
