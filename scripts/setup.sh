# shellcheck shell=sh
# Sourced by `kansoku` and `scripts/test`, which set `root` to the folder of the clone.
#
# kansoku_setup makes sure that packages are installed and sources are built, and sets `kansoku_home` to the folder that
# has node_modules and dist: the clone, or a private temporary folder if the clone is read-only. Two stamps identify the
# build: node_modules has the checksum of its lock file, dist/bundle that of the sources and of the lock file. A start that
# finds both costs four short processes and no Node. All messages go to standard error; a fatal problem stops the caller
# with exit code 2.
: "${root:?}"

kansoku_setup() {
  kansoku_check_node
  kansoku_sources=$(kansoku_checksum "$root") || kansoku_fail "cannot read the sources in $root" \
    'Make the folder readable, or clone it again.'
  kansoku_home=$root
  kansoku_is_built && return
  if ! kansoku_can_write "$root"; then
    kansoku_use_private_copy
    kansoku_is_built && return
  fi
  kansoku_lock
  # Another start may have finished the build while this one waited.
  if ! kansoku_is_built; then
    began=$(date +%s)
    kansoku_is_installed || kansoku_install
    kansoku_build
    kansoku_say "Ready after $(($(date +%s) - began)) s."
  fi
  kansoku_unlock
}

kansoku_say() {
  printf '%s\n' "$*" >&2
}

# $1: what went wrong. $2: what to do.
kansoku_fail() {
  printf 'kansoku: %s\n  %s\n' "$1" "$2" >&2
  exit 2
}

kansoku_check_node() {
  version=$(node --version 2>/dev/null) || version=none
  major=${version#v}
  minor=${major#*.}
  major=${major%%.*}
  minor=${minor%%.*}
  case $major-$minor in
    *[!0-9-]*) ;;
    *) [ "$major" -gt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -ge 19 ]; } && return ;;
  esac
  [ "$version" = none ] && version='none in PATH' || version="$version ($(command -v node))"
  kansoku_fail "Node.js 20.19 or later is required, found: $version" \
    'Install it with npm: https://nodejs.org/en/download (macOS: brew install node), and start again.'
}

# Prints a checksum of names and contents of everything to build, in folder $1.
kansoku_checksum() (
  cd "$1" || exit 1
  set -- src package.json package-lock.json tsconfig.json
  for folder in web bench scripts; do
    [ -d "$folder" ] && set -- "$@" "$folder"
  done
  sum=$(find "$@" -name fixtures -prune -o -type f -exec cksum {} + | LC_ALL=C sort | cksum)
  printf '%s\n' "${sum% *}-${sum#* }"
)

kansoku_lock_checksum() {
  cksum <"$kansoku_home/package-lock.json" | tr ' ' -
}

kansoku_is_built() {
  bundle=$kansoku_home/dist/bundle
  [ -f "$bundle/node/main.js" ] && [ -r "$bundle/.kansoku-stamp" ] || return 1
  read -r sources lock <"$bundle/.kansoku-stamp" || return 1
  [ "$sources" = "$kansoku_sources" ] && kansoku_is_installed "$lock"
}

# $1: the checksum of the lock file, if known.
kansoku_is_installed() {
  # Linked packages of another folder are maintained there.
  [ -h "$kansoku_home/node_modules" ] && return
  [ -r "$kansoku_home/node_modules/.kansoku-stamp" ] || return 1
  read -r installed <"$kansoku_home/node_modules/.kansoku-stamp" || return 1
  [ "$installed" = "${1:-$(kansoku_lock_checksum)}" ]
}

kansoku_can_write() {
  [ -w "$1" ] || return 1
  for part in "$1/node_modules" "$1/dist"; do
    [ ! -e "$part" ] || [ -h "$part" ] || [ -w "$part" ] || return 1
  done
}

# Sets `private` to this user's own folder under the temporary folder. Anyone may have created a folder of that name, so
# it is used only if it is a real folder, ours, and closed to others.
kansoku_private_folder() {
  user=$(id -u)
  private=${TMPDIR:-/tmp}
  private=${private%/}/kansoku-$user
  mkdir -m 700 "$private" 2>/dev/null
  [ -n "$(find "$private" -prune -type d -user "$user" \( -perm 0700 -o -perm 2700 \) 2>/dev/null)" ] && return
  kansoku_fail "cannot use $private: it must be a folder of user $user that is closed to other users" \
    'Remove it, or set TMPDIR to a folder of your own, and start again.'
}

# Sets `kansoku_home` to a copy of the build. Everything else is a link into the clone.
kansoku_use_private_copy() {
  kansoku_private_folder
  clone=$(printf '%s' "$root" | cksum)
  kansoku_home=$private/$kansoku_sources-${clone%% *}
  mkdir -p "$kansoku_home"
}

kansoku_fill_private_copy() {
  [ "$kansoku_home" = "$root" ] && return
  for entry in "$root"/* "$root"/.[!.]*; do
    name=${entry##*/}
    copy=$kansoku_home/$name
    case $name in
      node_modules | dist | .git | .kansoku-*) continue ;;
      src | web | bench | scripts | package.json | package-lock.json | tsconfig.json | .npmrc)
        # An interrupted copy of a read-only folder is read-only, too.
        [ ! -e "$copy" ] || { chmod -R u+w "$copy" && rm -rf "$copy"; }
        cp -R "$entry" "$copy" && chmod -R u+w "$copy"
        ;;
      *) [ ! -e "$entry" ] || ln -sf "$entry" "$kansoku_home/" ;;
    esac || kansoku_fail "cannot copy $entry to $copy" 'Is the disk full? Set TMPDIR to a folder with 300 MB free.'
  done
}

# One start builds, others wait for it. The lock is a folder with the builder's process id.
kansoku_lock() {
  lock_folder=$kansoku_home/.kansoku-lock
  waited=0
  until mkdir "$lock_folder" 2>/dev/null; do
    [ -d "$lock_folder" ] || [ -w "$kansoku_home" ] || kansoku_fail "cannot write in $kansoku_home" 'Check its permissions.'
    kansoku_take_over && break
    [ "$waited" = 0 ] && kansoku_say 'Waiting for another start that is setting up Kansoku …'
    waited=$((waited + 1))
    [ "$waited" -lt 600 ] || kansoku_fail "another start (process ${holder:-unknown}) has been setting up for 10 minutes" \
      "If it hangs, stop it and remove $lock_folder"
    sleep 1
  done
  trap kansoku_unlock EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  echo "$$" >"$lock_folder/pid"
}

# Takes over the lock of a dead builder. Only one start can hold `taker`, and it checks again before it replaces the id,
# so two starts that saw the same dead builder cannot both get the lock.
kansoku_take_over() {
  kansoku_holder_lives && return 1
  mkdir "$lock_folder/taker" 2>/dev/null || return 1
  if kansoku_holder_lives; then
    rmdir "$lock_folder/taker"
    return 1
  fi
  echo "$$" >"$lock_folder/pid"
  rmdir "$lock_folder/taker"
}

kansoku_holder_lives() {
  kansoku_read_holder
  if [ -z "$holder" ]; then
    # Between creating the folder and writing the id there is no id; a second later there is, unless the builder died.
    sleep 1
    kansoku_read_holder
    [ -n "$holder" ] || return 1
  fi
  # kill -0 also fails for a living process of another user.
  kill -0 "$holder" 2>/dev/null || [ -d "/proc/$holder" ] || ps -p "$holder" >/dev/null 2>&1
}

kansoku_read_holder() {
  holder=''
  [ -r "$lock_folder/pid" ] && read -r holder <"$lock_folder/pid"
}

kansoku_unlock() {
  rm -rf "$lock_folder" 2>/dev/null
  trap - EXIT HUP INT TERM
}

kansoku_install() {
  command -v npm >/dev/null || kansoku_fail 'npm is required to install packages, but is not in PATH' \
    'Install it: it comes with Node.js from https://nodejs.org/en/download (Debian: apt-get install npm).'
  kansoku_say 'Setting up Kansoku (once, about 10 s) …'
  kansoku_fill_private_copy
  kansoku_find_npm_cache
  # --include: a user's settings may omit development packages, which the build needs.
  (cd "$kansoku_home" && npm ci --prefix "$kansoku_home" --include=dev --ignore-scripts --no-audit --no-fund \
    --no-update-notifier --loglevel=error) >&2 || kansoku_fail "npm ci failed in $kansoku_home (see above)" \
    "Check the network and npm's registry and proxy settings ('npm config ls'), and start again."
  kansoku_lock_checksum >"$kansoku_home/node_modules/.kansoku-stamp"
}

# npm needs a writable cache: HOME may be read-only, missing or another user's.
kansoku_find_npm_cache() {
  cache=$(npm config get cache --prefix "$kansoku_home" 2>/dev/null)
  if mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ]; then
    [ ! -e "$cache/_cacache" ] || [ -w "$cache/_cacache" ] && return
  fi
  kansoku_private_folder
  npm_config_cache=$private/npm-cache
  export npm_config_cache
}

kansoku_build() {
  kansoku_say 'Building Kansoku …'
  bundle=$kansoku_home/dist/bundle
  rm -f "$bundle/.kansoku-stamp"
  (cd "$kansoku_home" && node scripts/bundle.mjs) >&2 || kansoku_fail 'the build failed (see above)' \
    "If you changed sources, fix the reported errors; otherwise check git status, remove $kansoku_home/node_modules and start again."
  echo "$kansoku_sources $(kansoku_lock_checksum)" >"$bundle/.kansoku-stamp"
}

# Compiles tests, benches and scripts, after kansoku_setup. Types are checked beside the tests.
kansoku_compile() (
  cd "$kansoku_home" || exit 1
  stamp=dist/.kansoku-stamp
  [ -d dist/src ] && [ -r $stamp ] && read -r compiled <$stamp && [ "$compiled" = "$kansoku_sources" ] && exit
  rm -f $stamp
  node scripts/compile.mjs || exit 1
  echo "$kansoku_sources" >$stamp
)
