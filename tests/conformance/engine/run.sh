#!/usr/bin/env bash
# Runs one engine: JSON lines on standard input, JSON lines on standard output (README.md lists the operations).
# HEXREF_ENGINE names it (3.6). The engine makes windows, so it gets an X server of its own that ends with it.
# HEXREF_ENGINE_CONF keeps its preferences, errorLog and stderr.log in that folder.
set -u
here=$(cd "$(dirname "$0")" && pwd)
home=${HEXREF_ENGINE_HOME:-$HOME/.cache/hexref/engine}
engine=${HEXREF_ENGINE:-3.6}
[ -r "$home/engines/$engine.cp" ] || { echo "no engine $engine in $home: run $here/setup.sh" >&2; exit 2; }

conf=${HEXREF_ENGINE_CONF:-$(mktemp -d)}
mkdir -p "$conf" && cd "$conf" || exit 1 # should the engine leave files where it runs, they go with the rest
server=
cleanup() {
  [ -z "$server" ] || kill "$server" 2>/dev/null
  [ -n "${HEXREF_ENGINE_CONF:-}" ] || rm -rf "$conf"
}
trap cleanup EXIT
trap 'exit 143' TERM INT

: >"$conf/display"
Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp 3>"$conf/display" >/dev/null 2>"$conf/xvfb.log" </dev/null &
server=$!
for _ in $(seq 200); do
  [ -s "$conf/display" ] && break
  sleep 0.05
done
[ -s "$conf/display" ] || { echo "Xvfb did not start: $(tail -n 1 "$conf/xvfb.log")" >&2; exit 1; }

DISPLAY=:$(head -n 1 "$conf/display") java -Xmx2g -XX:+UseSerialGC -Dfile.encoding=UTF-8 -Duser.language=en \
  -Duser.country=US -Duser.home="$conf" -DVASSAL.conf="$conf" -Dlogback.configurationFile="$here/logback.xml" \
  -cp "$home/classes/$engine:$(cat "$home/engines/$engine.cp")" Driver 2>"$conf/stderr.log"
