#!/usr/bin/env bash
# The one script of this repository. Runs with the bash of macOS (3.2) too; only `test`, `servers` and `wan` need Debian or Ubuntu.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly root=$PWD
readonly logs=$root/artifacts/logs
readonly results=$root/artifacts/test-results
readonly servers=$root/artifacts/servers
readonly command=$root/artifacts/command
readonly packages=$root/artifacts/packages
readonly gallery=$root/artifacts/powershell

export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_GENERATE_ASPNET_CERTIFICATE=false
# Without git, which a machine with only the SDK may lack, the version is that of the release that is being made.
if ! command -v git >/dev/null 2>&1; then export MinVerSkip=true; fi
if [ -z "${HOME:-}" ]; then export HOME=$root/artifacts/home && mkdir -p "$HOME"; fi

say() { printf '%s\n' "$*" >&2; }
die() { say "build.sh: $*"; exit 1; }

# What stays behind would hold a CI job's pipes open: there no build node outlives its build, and the compiler server, whose analyzers
# are warm after the first project, is this run's own and ends with the run.
compiler='' scratch='' companion=''
prepare_ci() {
  local version
  version=$(dotnet --version)
  compiler=$(dotnet --list-sdks | sed -n "s|^$version \\[\\(.*\\)\\]\$|\\1/$version/Roslyn/bincore/VBCSCompiler.dll|p")
  export MSBUILDDISABLENODEREUSE=1 UseSharedCompilation=true SharedCompilationId=transfer-$$
}

# Runs a function beside what follows, as a process group of its own, which ends with the run.
beside() {
  set -m
  "$@" </dev/null &
  companion=$!
  set +m
}

# Waits for that function; its exit code.
finish_beside() {
  local status=0
  wait "$companion" || status=$?
  companion=''
  return "$status"
}

clean_up() {
  if [ -n "$companion" ]; then kill -- "-$companion" 2>/dev/null || true; fi
  if [ -n "$compiler" ]; then dotnet "$compiler" "-pipename:$SharedCompilationId" -shutdown >/dev/null 2>&1 </dev/null || true; fi
  if [ -n "$scratch" ]; then rm -rf "$scratch"; fi
}
trap clean_up EXIT

usage() {
  cat <<'TEXT'
./build.sh VERB

  build           restores and builds everything in Release, warnings are errors; the command is compiled to machine code
  test            installs the test servers if they are missing (root on Debian or Ubuntu), builds, checks
                  the formatting and runs every test; the last line is "N passed, N failed"
  test --unit     only the tests that run in process: needs nothing but the .NET SDK
  test --quick    those without the slow ones: some 90 s after a build
  chaos [KILLS]   kills the command, its servers and single sessions at random, so many times in all (200), while folders go both
                  ways with --resume; only what was at work for a job is counted, and the last lines say how many there were
  soak [MINUTES]  watch and a nightly sync, so many minutes (10) against each of two servers that are restarted, filled up and cut
                  off at random: nothing is lost, the logs account for every byte, memory is flat
  faults [SEEDS]  every reply class at every step of every operation (docs/reports/faults.md), and the simulation of the decisions
                  with so many seeds (5000000): some minutes each; a shorter form of both is part of `test`
  fuzz [TARGET] [SECONDS]
                  coverage-guided fuzzing of one reader of what comes from outside, or of each, so many seconds (60); without a
                  name that is known it lists them. As root on Debian or Ubuntu it installs afl++. What was found is in
                  artifacts/fuzz/TARGET; seeds, and inputs that were found before, in fuzz/seeds, which `test` replays
  hostile [SECONDS]
                  the command against peers that flood, drip and never end, with so many seconds as --login-timeout and --timeout (10):
                  how long it took and how much memory (docs/reports/hostile.md); with 3 seconds it is part of `test`
  fleet           one, two and four workers of samples/Transfer.Fleet, and four of which two are killed (docs/reports/fleet.md), as root
                  on Debian or Ubuntu: two minutes
  slurm           arrays of docs/fleet.md on a Slurm of this machine alone, over sshd and FTP, with a task that is killed. As root on Debian
                  or Ubuntu it installs slurmctld, slurmd and munge
  bench [--full] [FILTER]
                  runs the benchmarks with FILTER in their full name (all by default), on loopback only: by a quick job of
                  some minutes, with --full by BenchmarkDotNet's default one of an hour or more. Reports as markdown, HTML
                  and JSON in artifacts/benchmarks/results. Rows against real servers need ./build.sh servers, and root
  wan REPORT [--quick]
                  measures over emulated links, beside the peers that a machine has, and writes docs/reports/REPORT.md: small-files,
                  batch, latency, sftp-throughput, host-to-host, dotnet-ftp-fix, sessions, cmdlets or targets; --quick each in less than two minutes; model only computes. As root
                  on Debian or Ubuntu it installs servers and peers first; elsewhere a link in process serves. More options go to
                  the program: docs/internals/benchmarking.md. Exit code 1: a turn failed, or something could not be built; 2: usage
  pack            all that is published: in artifacts/packages the libraries, the command as a .NET tool, and for this system as a tar.gz
                  and (where dpkg-deb is) a .deb, with manual page and completions; where docker runs, the image transfer.
                  Versions come from tags (v0.1.0)
  site            the documentation with the API reference, in artifacts/site: static pages with a search of their own
  demo            builds the command and runs `transfer demo`: needs nothing but the .NET SDK
  format          formats the source
  servers         only what `test` installs: vsftpd, ProFTPD, Pure-FTPd, OpenSSH, those of docs/servers.md, PostgreSQL, in artifacts/servers
  accept-api      takes the public API as it is now for the approved one
  help            this text

Logs and test results are in artifacts/. CONTRIBUTING.md says more.
TEXT
}

need_sdk() {
  command -v dotnet >/dev/null 2>&1 || die "the .NET 10 SDK is missing: https://dotnet.microsoft.com/download/dotnet/10.0"
  dotnet --version >/dev/null 2>&1 || die "the .NET 10 SDK is missing ('dotnet --version' fails; see global.json): https://dotnet.microsoft.com/download/dotnet/10.0"
  # The built command looks for the runtime where installers put it; an unpacked SDK elsewhere must be named.
  local home
  home=$(dirname "$(readlink -f "$(command -v dotnet)")")
  if [ -z "${DOTNET_ROOT:-}" ] && [ -d "$home/shared/Microsoft.NETCore.App" ]; then export DOTNET_ROOT=$home; fi
  if [ "${CI:-}" = true ]; then prepare_ci; fi
}

# Runs a step with its output in a log; shows the log when it fails.
logged() {
  local log=$logs/$1.log
  shift
  mkdir -p "$logs"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    say "build.sh: failed: $*"
    return 1
  fi
}

# May be called in a condition, where set -e does not work.
build() {
  need_sdk
  say "building ..."
  logged build dotnet build Transfer.slnx -c Release -warnaserror -v quiet || return 1
  if has_fluentftp; then logged build-fluentftp dotnet build tests/Transfer.FluentFtp.Tests -c Release -warnaserror -v quiet; fi
}

# FluentFTP is not in every registry: with FluentFtp=true in the environment, which MSBuild takes as a property, what needs it is built, tested and packed too.
has_fluentftp() { [ "${FluentFtp:-}" = true ]; }

# Projects whose public API is approved.
libraries() {
  local project
  for project in src/*/; do
    if [ "$project" != src/Transfer.FluentFtp/ ] || has_fluentftp; then echo "$project"; fi
  done
}

# The command as it is to be used and measured: machine code for this processor, without a runtime and its compiler (NativeAOT). It starts in a fifth of
# the time, and nothing is compiled while a server waits. That takes a C compiler's linker; where there is none, or the registry lacks the packages,
# what can be is compiled ahead and its runtime put beside it, and where that fails too it is published as it was built.
publish_command() {
  say "compiling the command ahead ..."
  if compile_ahead Native; then return; fi
  # The compiler of .NET 10 fails for some processors' instructions.
  if compile_ahead Native -p:IlcInstructionSet=; then return; fi
  say "not compiled to machine code: see artifacts/logs/Native.log"
  if compile_ahead ReadyToRun; then return; fi
  say "not compiled ahead: see artifacts/logs/ReadyToRun.log"
  rm -rf "$command"
  logged publish dotnet publish samples/Transfer.Cli -c Release -v quiet -o "$command"
}

# One way of compiling it, which its project describes.
compile_ahead() {
  rm -rf "$command"
  mkdir -p "$logs"
  dotnet publish samples/Transfer.Cli -c Release -v quiet -o "$command" "-p:CompileAhead=$1" "${@:2}" >"$logs/$1.log" 2>&1 </dev/null &&
    rm -f "$command"/*.pdb "$command"/*.xml
}

# The libraries that are published, without tests and benchmarks: who wants the packages need not wait for those.
build_packages() {
  need_sdk
  say "building ..."
  logged build-packages dotnet build build/Transfer.Site -c Release -warnaserror -v quiet
  logged build-module dotnet build src/Transfer.PowerShell -c Release -warnaserror -v quiet
}

pack() {
  build_packages
  pack_all
  pack_image
  ls -l "$packages" >&2
}

# The Dockerfile's image, tagged transfer.
pack_image() {
  if ! docker info >/dev/null 2>&1; then say "no image: there is no docker"; return; fi
  logged pack-image docker build -t transfer .
}

# Of what is built already.
pack_all() {
  say "packing ..."
  rm -rf "$packages" "$gallery" && mkdir -p "$packages"
  logged pack-libraries dotnet msbuild build/Transfer.Site -t:PackLibraries -p:Configuration=Release "-p:Packages=$packages" -m -v:quiet -nologo
  # In a folder of its own, outside of the others': NuGet reads a source's folders too, and to NuGet the module's id is that of the tool.
  logged pack-module dotnet pack src/Transfer.PowerShell -c Release --no-build -v quiet -o "$gallery" -p:PackModule=true
  pack_command
}

# The command as a tool: for every system with .NET, and compiled ahead for this one where its linker is. What is handed out runs on every
# processor of its kind: unlike what ./build.sh build compiles, it asks for no instruction that older ones lack.
pack_command() {
  local platform=any
  if [ "$(uname -sm)" = 'Linux x86_64' ]; then
    if pack_tool linux-x64 linux-x64; then platform=linux-x64; else say "not compiled to machine code: see artifacts/logs/pack-linux-x64.log"; fi
  fi
  pack_tool "$platform" any || die "the tool could not be packed: see artifacts/logs"
  pack_tool "$platform" || die "the tool could not be packed: see artifacts/logs"
  if [ "$platform" != any ]; then archive_command "$platform" "$root/artifacts/publish/Transfer.Cli/release_$platform/transfer"; fi
}

# One package: a platform's, or the one that names them all.
pack_tool() {
  local log=$logs/pack-${2:-tool}.log
  if dotnet pack samples/Transfer.Cli -c Release -v quiet -o "$packages" "-p:PackTool=$1" "-p:ToolPlatform=${2:-}" >"$log" 2>&1 </dev/null; then return; fi
  tail -n 20 "$log" >&2
  return 1
}

# The program with its manual page and completions, as a tar.gz and a .deb.
archive_command() {
  local platform=$1 program=$2 files=$root/artifacts/pack/root version libc
  version=$("$program" --version) && version=${version#transfer }
  rm -rf "$files"
  install -D -m 755 "$program" "$files/usr/bin/transfer"
  install -d "$files/usr/share/man/man1" "$files/usr/share/bash-completion/completions" "$files/usr/share/zsh/vendor-completions" \
    "$files/usr/share/fish/vendor_completions.d" "$files/usr/share/doc/transfer"
  "$program" manual | gzip -9n >"$files/usr/share/man/man1/transfer.1.gz"
  "$program" completion bash >"$files/usr/share/bash-completion/completions/transfer"
  "$program" completion zsh >"$files/usr/share/zsh/vendor-completions/_transfer"
  "$program" completion fish >"$files/usr/share/fish/vendor_completions.d/transfer.fish"
  install -m 644 LICENSE "$files/usr/share/doc/transfer/copyright"
  install -m 644 README.md CHANGELOG.md "$files/usr/share/doc/transfer"
  tar -czf "$packages/transfer-$version-$platform.tar.gz" -C "$files" --transform "s|^\./usr|transfer-$version|" --owner=0 --group=0 ./usr
  if ! command -v dpkg-deb >/dev/null 2>&1; then say "no .deb: there is no dpkg-deb"; return; fi
  mkdir "$files/DEBIAN"
  libc=$(grep -ao 'GLIBC_2\.[0-9]*' "$program" | sort -V | tail -n 1)
  # A release's own signs come after those of its previews: 0.1.0~alpha is before 0.1.0.
  cat >"$files/DEBIAN/control" <<CONTROL
Package: transfer
Version: $(printf '%s' "$version" | sed 's/-/~/')
Architecture: amd64
Maintainer: The Transfer authors <transfer@localhost>
Section: net
Priority: optional
Depends: libc6 (>= ${libc#GLIBC_}), libssl3t64 | libssl3, libicu78 | libicu76 | libicu74 | libicu72 | libicu70
Recommends: ca-certificates, openssh-client
Description: moves files over FTP, FTPS and SFTP at the speed of the link
 Folders over several sessions, resumed after any loss, synced and checked;
 batches of many small files; copies between servers.
CONTROL
  dpkg-deb --build --root-owner-group "$files" "$packages/transfer_${version}_amd64.deb" >"$logs/deb.log" 2>&1 || die "no .deb: see artifacts/logs/deb.log"
}

site() {
  build_packages
  make_site || die "the site could not be made"
  say "$root/artifacts/site/README.html"
}

# Of what is built already. Links that lead nowhere, and references to types that are not there, are errors. Called in a condition,
# where set -e does not work.
make_site() {
  local source=$root/artifacts/site-source
  say "making the site ..."
  rm -rf "$source" "$root/artifacts/site" && mkdir -p "$source" || return 1
  cp -r ./*.md LICENSE docs build/icon.png "$source" && cp -r build/Transfer.Site/{docfx.json,index.md,toc.yml,template} "$source" || return 1
  find src samples \( -name obj -o -name bin \) -prune -o \( -name '*.md' -o -path 'samples/*.cs' \) -print | tar -cf - -T - | tar -xf - -C "$source" || return 1
  cp -r artifacts/bin/Transfer.Site/release "$source/assemblies" || return 1
  logged site-tools dotnet tool restore || return 1
  logged site dotnet docfx "$source/docfx.json" --warningsAsErrors
}

demo() {
  need_sdk
  say "building ..."
  logged demo-build dotnet build samples/Transfer.Cli -c Release -v quiet
  artifacts/bin/Transfer.Cli/release/transfer demo "$@"
}

# BenchmarkDotNet takes its own options behind the filter; they are passed on.
bench() {
  local full='' filter='*'
  need_sdk
  if [ "${1:-}" = --full ]; then full=--full && shift; fi
  case "${1:-}" in
    '' | --*) ;;
    *'*'*) filter=$1 && shift ;;
    *) filter="*$1*" && shift ;;
  esac
  say "building ..."
  logged bench-build dotnet build benchmarks/Transfer.Benchmarks -c Release -warnaserror -v quiet
  artifacts/bin/Transfer.Benchmarks/release/Transfer.Benchmarks $full --filter "$filter" "$@"
}

wan() {
  local status=0
  [ $# -gt 0 ] || { usage >&2; exit 2; }
  need_sdk
  if [ "$1" != model ]; then
    prepare_servers || say "the rows against real servers are left out"
    prepare_peers
    publish_command
  fi
  say "building ..."
  logged wan-build dotnet build benchmarks/Transfer.Wan -c Release -warnaserror -v quiet
  if [ "$1" = cmdlets ]; then logged wan-module dotnet build src/Transfer.PowerShell -c Release -v quiet && logged wan-tools dotnet tool restore; fi
  artifacts/bin/Transfer.Wan/release/Transfer.Wan "$@" || status=$?
  exit "$status"
}

# Whitespace rules (IDE0055) only, without loading the projects: the build itself enforces the rest.
check_format() {
  say "checking the formatting ..."
  logged format dotnet format whitespace . --folder --verify-no-changes --exclude artifacts
}

# --- the test servers ---------------------------------------------------------------------------------------------

# Debian marks FTP servers as conflicting with each other and starts what it installs, sshd too. So none is installed: the packages
# are unpacked into artifacts/servers, and only libraries that are missing are installed.
server_packages="vsftpd proftpd-core proftpd-mod-crypto pure-ftpd libpam-pwdfile openssh-server openssh-sftp-server openssh-client"

# Shells that are no sh, which users of an SSH server may have, and a host's small tools.
server_packages="$server_packages fish fish-common tcsh zsh busybox"

# Clients of others for the embedded servers (curl, lftp, rclone) are installed. A server with one-time codes (asyncssh), and the audit of what a client offers. Python itself is installed.
server_packages="$server_packages python3-asyncssh python3-cryptography python3-cffi-backend python3-typing-extensions ssh-audit"

# Servers whose makers do not know this client (docs/servers.md): libraries of Python with what they import, and programs. Those of JavaScript are npm's.
server_packages="$server_packages python3-pyftpdlib python3-openssl python3-paramiko python3-bcrypt python3-nacl python3-six python3-twisted python3-attr"
server_packages="$server_packages python3-automat python3-constantly python3-hyperlink python3-idna python3-incremental python3-zope.interface"
server_packages="$server_packages python3-hamcrest python3-service-identity python3-pyasn1 python3-pyasn1-modules"
server_packages="$server_packages dropbear-bin tinysshd inetutils-ftpd"

# The database of samples/Transfer.Fleet: the name of the package has a number, which this one knows. What compiles queries is left out.
database_package() { apt-cache depends postgresql | awk '$1 == "Depends:" { print $2; exit }'; }
server_scripts=$root/tests/Transfer.ServerTests/Foreign/Launchers

# Some distributions have their shells in /bin.
shell_file() { if [ -e "$servers/bin/$1" ]; then echo "$servers/bin/$1"; else echo "$servers/usr/bin/$1"; fi; }

server_files() {
  printf '%s\n' "$servers/usr/sbin/vsftpd" "$servers/usr/sbin/proftpd" "$servers/usr/lib/proftpd/mod_tls.so" \
    "$servers/usr/lib/proftpd/mod_sftp.so" "$servers/usr/sbin/pure-ftpd" "$servers/usr/bin/pure-pw" \
    "$servers/usr/sbin/sshd" "$servers/usr/lib/openssh/sftp-server" "$servers/usr/bin/ssh-keygen" "$servers/usr/bin/ssh-audit" \
    "$servers/usr/sbin/dropbear" "$servers/usr/lib/dropbear/dropbearconvert" "$servers/usr/sbin/tinysshd" "$servers/usr/sbin/ftpd"
  shell_file fish && shell_file tcsh && shell_file zsh && echo "$servers/small-host/sh"
  echo "$servers"/usr/lib/postgresql/*/bin/postgres
}

# True when every server is unpacked and finds all its libraries.
servers_ready() {
  local file
  [ -e "$servers/unpacked" ] || return 1
  for file in $(server_files); do
    [ -e "$file" ] || return 1
    if ldd "$file" 2>/dev/null | grep -q 'not found'; then return 1; fi
  done
  for file in openssl setsid strace unshare mount python3 curl lftp rclone; do
    command -v "$file" >/dev/null 2>&1 || return 1
  done
  for file in pyftpdlib paramiko asyncssh twisted; do [ -d "$servers/usr/lib/python3/dist-packages/$file" ] || return 1; done
  cmp -s "$server_scripts/package-lock.json" "$servers/node/package-lock.json" && [ -d "$servers/node/node_modules" ] &&
    command -v node >/dev/null 2>&1
}

# What the lock file names, and nothing else: no scripts run, and optional parts are left out.
install_node_servers() {
  command -v npm >/dev/null 2>&1 || DEBIAN_FRONTEND=noninteractive apt install --no-install-recommends nodejs npm || return 1
  mkdir -p "$servers/node" && cp "$server_scripts"/package*.json "$servers/node" || return 1
  npm ci --prefix "$servers/node" --omit=optional --ignore-scripts --no-audit --no-fund && return 0
  # What is left of it would look as if it were installed.
  rm -rf "$servers/node"
  return 1
}

apt() { apt-get -q -y -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root "$@"; }

# Called in a condition, where set -e does not work: every step that counts says so itself.
unpack_servers() {
  local downloads=$servers/packages libraries package tool
  rm -rf "$servers" && mkdir -p "$downloads" || return 1
  # A third-party source that cannot be reached is no reason to stop; a package that is not found is.
  apt update || say "apt-get update failed; trying with the package lists that are here"
  # shellcheck disable=SC2086
  (cd "$downloads" && apt download $server_packages "$(database_package)") || return 1
  for package in "$downloads"/*.deb; do dpkg -x "$package" "$servers" || return 1; done
  # What a small host has: busybox under the name of each of its tools.
  mkdir "$servers/small-host" || return 1
  for tool in $("$(shell_file busybox)" --list); do ln -sr "$(shell_file busybox)" "$servers/small-host/$tool" || return 1; done
  libraries=$(for package in "$downloads"/*.deb; do dpkg-deb -f "$package" Depends; done |
    tr ',' '\n' | awk '{ print $1 }' | grep '^lib' | grep -v '^libllvm' | sort -u)
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt install --no-install-recommends --no-upgrade openssl strace util-linux mount python3 curl lftp rclone netbase $libraries || return 1
  install_node_servers || return 1
  rm -rf "$downloads"
  touch "$servers/unpacked"
}

# Prints why the servers cannot be had, if so. The server tests then run, and fail.
prepare_servers() {
  if ! servers_ready; then
    if ! command -v apt-get >/dev/null 2>&1; then
      say "build.sh: cannot install the test servers: this is neither Debian nor Ubuntu. The server tests will fail."
      return 1
    fi
    if [ "$(id -u)" != 0 ]; then
      say "build.sh: cannot install the test servers: not root. The server tests will fail."
      return 1
    fi
    say "installing the test servers ..."
    if ! logged servers unpack_servers || ! servers_ready; then
      say "build.sh: the test servers could not be installed (artifacts/logs/servers.log). The server tests will fail."
      return 1
    fi
  fi
  if [ "$(id -u)" != 0 ]; then
    say "build.sh: the test servers can only be started by root. The server tests will fail."
    return 1
  fi
}

# --- what the reports compare with ---------------------------------------------------------------------------------

# Clients start nothing when they are installed. lighttpd would: it is unpacked beside the test servers.
peer_packages="lftp curl rclone rsync wget axel iproute2 util-linux"
peer_programs="lftp curl rclone rsync wget axel ip setpriv"
web_server=$servers/usr/sbin/lighttpd

peers_ready() {
  local program
  for program in $peer_programs; do command -v "$program" >/dev/null 2>&1 || return 1; done
  [ -x "$web_server" ] && ! ldd "$web_server" 2>/dev/null | grep -q 'not found'
}

# Each for itself: what cannot be had is left out of the reports, which say so.
install_peers() {
  local package downloads=$servers/packages libraries
  export DEBIAN_FRONTEND=noninteractive
  apt update || say "apt-get update failed; trying with the package lists that are here"
  for package in $peer_packages; do apt install --no-install-recommends --no-upgrade "$package" || say "no $package"; done
  if [ ! -x "$web_server" ]; then
    mkdir -p "$downloads"
    (cd "$downloads" && apt download lighttpd) || return 1
    dpkg -x "$downloads"/lighttpd_*.deb "$servers" || return 1
    libraries=$(dpkg-deb -f "$downloads"/lighttpd_*.deb Depends | tr ',' '\n' | awk '{ print $1 }' | grep '^lib' | sort -u)
    # shellcheck disable=SC2086
    apt install --no-install-recommends --no-upgrade $libraries || return 1
    rm -rf "$downloads"
  fi
}

# Never fails: peers that are missing are rows that are missing.
prepare_peers() {
  if peers_ready; then return; fi
  if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" != 0 ]; then
    say "peers are installed by root on Debian or Ubuntu only: those that are missing are left out"
    return
  fi
  say "installing the peers ..."
  logged peers install_peers 2>/dev/null || true
  peers_ready || say "some peers could not be installed (artifacts/logs/peers.log): they are left out"
}

# --- tests --------------------------------------------------------------------------------------------------------

passed=0 failed=0 skipped=0 took=() unsteady=()

# Tests make and delete hundreds of thousands of files, and for minutes ext4 looks at the inode of every deleted one when a file is made: that took more time
# than the tests. So they have their temporary files in memory where there is enough of it, a GiB file comes and goes, and programs may be run there.
use_memory() {
  local folder=/dev/shm need=$((8 << 20)) free available
  [ -w "$folder" ] && [ -r /proc/meminfo ] || return 0
  free=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
  available=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
  if [ "$free" -lt "$need" ] || [ "$available" -lt "$need" ] || findmnt -n -o OPTIONS -T "$folder" | grep -qw noexec; then return 0; fi
  scratch=$(mktemp -d "$folder/transfer-tests.XXXXXX")
  chmod 755 "$scratch" # The servers' users have their files there.
  export TMPDIR=$scratch
}

# One run of a project's tests, with the packages or the command that they use.
dotnet_test() {
  local project=$1 given=()
  shift
  case "$project" in
    Transfer.PackageTests) given=("TRANSFER_PACKAGES=$packages") ;;
    Transfer.PowerShell.Tests) given=("TRANSFER_PACKAGES=$gallery") ;;
    Transfer.ServerTests) given=("TRANSFER_COMMAND=$command") ;;
  esac
  env ${given[@]+"${given[@]}"} dotnet test "tests/$project" -c Release --no-build --blame-hang --blame-hang-timeout 11m --blame-hang-dump-type none \
    "$@" </dev/null 2>&1
}

# Runs one test project and adds its counts.
run_tests() {
  run_part "$@"
  add_part "$1"
}

# Runs one test project, and leaves its exit code and seconds beside its results.
run_part() {
  local project=$1 status=0 began=$SECONDS
  shift
  rm -f "$results/$project.trx" "$results/$project.part"
  say "testing $project ..."
  mkdir -p "$results" "$logs"
  dotnet_test "$project" --results-directory "$results" --logger "trx;LogFileName=$project.trx" "$@" | tee "$logs/$project.log" || status=1
  echo "$status $((SECONDS - began))" >"$results/$project.part"
}

# Adds the counts of a project that ran. A run that breaks off, or runs nothing, counts as one failure.
add_part() {
  local project=$1 trx=$results/$1.trx status=1 seconds=0 counters total=0 executed=0 good=0
  if [ -s "$results/$project.part" ]; then read -r status seconds <"$results/$project.part"; fi
  if [ -s "$trx" ]; then
    counters=$(grep -o '<Counters [^>]*>' "$trx" | head -n 1)
    total=$(counter total) executed=$(counter executed) good=$(counter passed)
    if [ "$status" != 0 ] && try_again "$project" "$trx" $((executed - good)); then good=$executed status=0; fi
  fi
  passed=$((passed + good))
  failed=$((failed + executed - good))
  skipped=$((skipped + total - executed))
  if [ "$total" = 0 ] || { [ "$status" != 0 ] && [ "$executed" = "$good" ]; }; then
    say "build.sh: $project did not run to its end: see artifacts/logs/$project.log"
    failed=$((failed + 1))
  fi
  took+=("$(printf '%5d s  %s' "$seconds" "$project${2:+, $2}")")
}

# Few failed tests run once more, alone: those that pass then depend on how busy the machine is. They are named at the end of the run as
# unsteady, and are to be mended.
try_again() {
  local project=$1 cases name words word filter='' one
  if [ "$3" -lt 1 ] || [ "$3" -gt 5 ]; then return 1; fi
  # A case of a test is found by the test's name and the words of its arguments: other signs have a meaning in filters.
  cases=$(grep '<UnitTestResult .*outcome="Failed"' "$2" | sed -n 's/.* testName="\([^"]*\).*/\1/p' | sed 's/&[a-z]*;/ /g; s/[^A-Za-z0-9_.]/ /g' | sort -u)
  if [ -z "$cases" ]; then return 1; fi
  while read -r name words; do
    one=Name~$name
    for word in $words; do one="$one&Name~$word"; done
    filter="$filter${filter:+|}($one)"
  done <<<"$cases"
  say "testing once more, of $project: $cases"
  dotnet_test "$project" --filter "$filter" >"$logs/$project.again.log" || return 1
  while read -r name; do unsteady+=("unsteady, passed when run again: $name"); done <<<"$cases"
  sed -i.failed 's/outcome="Failed"/outcome="Unsteady"/' "$2"
}

# Which tests failed, and the end of what each said: the last thing on the screen, whatever else was printed.
show_failures() {
  local trx
  for trx in "$results"/*.trx; do
    [ -s "$trx" ] || continue
    awk '
      /<UnitTestResult / { failed = /outcome="Failed"/; if (failed && match($0, /testName="[^"]*"/)) print "failed: " substr($0, RSTART + 10, RLENGTH - 11) }
      failed && /<Message>/ { inside = 1; n = 0 }
      inside { line[n++] = $0 }
      inside && /<\/Message>/ { inside = 0; for (i = n > 8 ? n - 8 : 0; i < n; i++) print "    " substr(line[i], 1, 400) }' "$trx"
  done
}

# The command that the server tests run is the one that is handed out.
pack_for_tests() {
  local program=$root/artifacts/publish/Transfer.Cli/release_linux-x64/transfer
  rm -f "$program"
  pack_all || return 1
  if [ -x "$program" ]; then rm -rf "$command" && install -D "$program" "$command/transfer"; else publish_command; fi
}

publish_for_tests() { pack_for_tests && make_site; }

# Runs the tests of a project beside those of others, whose output is shown at their end. What has failed runs once more behind all of them.
test_side_by_side() {
  local first=$1 project
  shift
  beside run_hidden "$@"
  run_part "$first" ${filter[@]+"${filter[@]}"}
  finish_beside || true
  for project in "$@"; do cat "$logs/$project.log"; done
  add_part "$first"
  for project in "$@"; do add_part "$project" "beside $first"; done
}

# The first one beside the others: packages are tested by compilers, one after the other, which leave a processor idle now and then.
run_hidden() {
  local project
  run_part "$1" ${filter[@]+"${filter[@]}"} >/dev/null &
  shift
  for project in "$@"; do run_part "$project" ${filter[@]+"${filter[@]}"} >/dev/null; done
  wait
}

counter() { printf '%s' "$counters" | sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p"; }

test_all() {
  local unit=false complete=true formatted=true built=true filter=()
  case "${1:-}" in
    '') ;;
    --unit) unit=true ;;
    --quick) unit=true filter=(--filter TestCategory!=Slow) ;;
    *) die "test knows only --unit and --quick" ;;
  esac
  need_sdk
  # No page of code that is compiled at run time is ever writable and executable, for which the runtime maps each twice. Tests compile most of what they run:
  # a shell with the module takes a quarter less processor time without. No method is instrumented, which pays in long runs only, and one is compiled
  # again, better, at 2,000 calls (hexadecimal) in place of 30: that takes a tenth off the processor time of short tests.
  export DOTNET_EnableWriteXorExecute=0 DOTNET_TieredPGO=0 DOTNET_TC_CallCountThreshold=7D0
  rm -f "$results"/*.trx
  if ! $unit; then beside prepare_servers; fi
  check_format || formatted=false
  if $formatted; then build || built=false; fi
  # Before the run ends for whatever reason: packages that are being installed would stay half configured.
  if ! $unit; then finish_beside || complete=false; fi
  $formatted || die "the formatting differs: run ./build.sh format"
  $built || exit 1
  took+=("$(printf '%5d s  %s' "$SECONDS" "build")")
  use_memory
  # What is published is made beside the first tests, which need none of it. Their part runs beside no other tests: on a busy machine some of
  # those that count what leaves together fail.
  if ! $unit; then beside publish_for_tests; fi
  run_tests Transfer.Tests ${filter[@]+"${filter[@]}"}
  if $unit; then
    # Short ones, of which much is the start of their programs.
    test_side_by_side Transfer.Cli.Tests Transfer.Wan.Tests
  else
    if has_fluentftp; then run_tests Transfer.FluentFtp.Tests; fi
    finish_beside || die "the packages or the site could not be made"
    export TRANSFER_COMMAND=$command
    # Most of the time the server tests wait for their servers: meanwhile the other tests compile, and start shells and commands. The server
    # tests that measure something, or kill at a moment, run last.
    test_side_by_side Transfer.ServerTests Transfer.PackageTests Transfer.PowerShell.Tests Transfer.Cli.Tests Transfer.Wan.Tests
  fi
  if ! $complete; then say "build.sh: the server tests need root on Debian or Ubuntu; ./build.sh test --unit runs only the others"; fi
  if [ "$skipped" -gt 0 ]; then say "$skipped skipped: their messages above say why"; fi
  if [ "$failed" -gt 0 ]; then show_failures; fi
  if [ ${#unsteady[@]} -gt 0 ]; then printf '%s\n' "${unsteady[@]}" >&2; fi
  printf '%s\n' "${took[@]}" "$(printf '%5d s  in all' "$SECONDS")" >&2
  printf '%d passed, %d failed\n' "$passed" "$failed"
  $complete && [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# What each chaos test said of its kills, and their sum. A report has each line twice.
show_kills() {
  grep -o '[A-Za-z]*, [a-z]*, seed .*killed at work: .*jobs' "$results/Transfer.ServerTests.trx" | sort -u | tee "$logs/kills.log" || true
  sed -n 's/.*killed at work: \([0-9]*\) commands, \([0-9]*\) servers, \([0-9]*\) sessions.*/\1 \2 \3/p' "$logs/kills.log" |
    awk '{ c += $1; s += $2; n += $3 } END { printf "killed at work in all: %d (%d commands, %d servers, %d sessions)\n", c + s + n, c, s, n }'
}

# The short form of these tests is part of `test`. There are six: three servers, both directions.
chaos() {
  need_sdk
  prepare_servers || die "the servers are missing"
  build
  publish_command
  use_memory
  TRANSFER_CHAOS_KILLS=$(((${1:-200} + 5) / 6)) TRANSFER_CHAOS_SEED=${TRANSFER_CHAOS_SEED:-$RANDOM} \
    run_tests Transfer.ServerTests --filter "FullyQualifiedName~Transfer.ServerTests.Chaos"
  show_kills
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# No part of `test`: it takes as long as it is told to, against ProFTPD and sshd, and a test that is silent for so long is no hang.
soak() {
  need_sdk
  prepare_servers || die "the servers are missing"
  build
  publish_command
  use_memory
  mkdir -p "$logs"
  TRANSFER_COMMAND=$command TRANSFER_SOAK_MINUTES=${1:-10} dotnet test tests/Transfer.ServerTests -c Release --no-build \
    --filter "FullyQualifiedName~Transfer.ServerTests.Soak" --logger "console;verbosity=detailed" </dev/null >"$logs/soak.log" 2>&1 || failed=1
  grep -o '[A-Za-z]*, seed [0-9]*: .*' "$logs/soak.log" | sort -u || true
  if [ "$failed" != 0 ]; then die "the soak has failed: see artifacts/logs/soak.log"; fi
}

# Ends a run whose tests wrote a table: a page gets it in place of its own, which begins with these words and ends the page.
end_report() {
  local page=$1 table=$2 begins=$3
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" = 0 ] && [ -s "$table" ] || return 1
  { sed "/^$begins/,\$d" "$page" && cat "$table"; } >"$page.new"
  mv "$page.new" "$page"
}

# The short form of these tests is part of `test`.
faults() {
  local page=$root/docs/reports/faults.md table=$results/faults.md
  build
  use_memory
  mkdir -p "$results"
  rm -f "$table"
  TRANSFER_SIMULATION_SEEDS=${1:-5000000} TRANSFER_FAULT_MATRIX=all TRANSFER_FAULT_REPORT=$table \
    run_tests Transfer.Tests --filter "FullyQualifiedName~Transfer.Tests.Faults|FullyQualifiedName~Simulation"
  end_report "$page" "$table" "| side"
}

# No part of `test`: Slurm finds its parts where they are installed, and nowhere else.
slurm() {
  need_sdk
  prepare_servers || die "the servers are missing"
  if ! command -v slurmd >/dev/null || ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
    say "installing Slurm ..."
    logged slurm-install env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends slurmctld slurmd slurm-client munge
  fi
  say "building ..."
  publish_command
  logged slurm-build dotnet build tests/Transfer.ServerTests -c Release -warnaserror -v quiet
  use_memory
  run_tests Transfer.ServerTests --filter "FullyQualifiedName~Transfer.ServerTests.Slurm"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# Only what is ours is instrumented: afl++ looks for inputs that reach new branches of it.
fuzz() {
  local bin=$root/artifacts/fuzz/bin targets seconds=${2:-60} target assembly found=0
  targets=$(cd fuzz/seeds && echo *)
  if [ $# -gt 0 ] && [ ! -d "fuzz/seeds/$1" ]; then die "fuzz: TARGET is one of $targets"; fi
  need_sdk
  if ! command -v afl-fuzz >/dev/null; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || die "fuzz: afl++ is missing"
    logged afl apt-get install -y -q afl++
  fi
  logged fuzz-tools dotnet tool restore
  rm -rf "$bin"
  logged fuzz-build dotnet publish fuzz/Transfer.Fuzz -c Release -v quiet -o "$bin"
  for assembly in Core Ftp Sftp Batch; do logged "fuzz-$assembly" dotnet sharpfuzz "$bin/Transfer.$assembly.dll"; done
  for target in ${1:-$targets}; do
    say "fuzzing $target for $seconds s ..."
    run_fuzzer "$bin" "$target" "$seconds" || { cat "$logs/fuzz-$target.log" >&2; die "fuzz: afl-fuzz failed"; }
    found=$((found + $(show_fuzzing "$root/artifacts/fuzz/$target/default" "$target")))
  done
  [ "$found" = 0 ]
}

# On a busy machine afl++ may start before the program reads from it, finds no branch taken, and gives up: then it starts again.
run_fuzzer() {
  local bin=$1 target=$2 seconds=$3 log=$logs/fuzz-$2.log attempt
  for attempt in 1 2 3 4 5; do
    rm -rf "$root/artifacts/fuzz/$target"
    # A large table that afl++ maps is no memory that a target takes: a target's own bound is in the program.
    if AFL_SKIP_BIN_CHECK=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 \
      afl-fuzz -V "$seconds" -t 10000 -m none -i "fuzz/seeds/$target" -o "$root/artifacts/fuzz/$target" dotnet "$bin/Transfer.Fuzz.dll" "$target" >"$log" 2>&1 </dev/null; then return 0; fi
    grep -q 'No instrumentation detected' "$log" || return 1
    say "fuzzing $target again ($attempt) ..."
  done
  return 1
}

# Says how it went, and prints how many inputs ended the target or took too long.
show_fuzzing() {
  local stats=$1/fuzzer_stats crashes hangs
  crashes=$(find "$1/crashes" -name 'id*' | wc -l)
  hangs=$(find "$1/hangs" -name 'id*' | wc -l)
  say "$2: $(sed -n 's/^execs_done *: //p' "$stats") runs, $(sed -n 's/^corpus_count *: //p' "$stats") inputs of their own way, $crashes crashes, $hangs hangs"
  echo $((crashes + hangs))
}

hostile() {
  local page=$root/docs/reports/hostile.md table=$results/hostile.md
  build
  publish_command
  use_memory
  mkdir -p "$results"
  rm -f "$table"
  TRANSFER_COMMAND=$command TRANSFER_HOSTILE_TIMEOUT=${1:-10} TRANSFER_HOSTILE_REPORT=$table \
    run_tests Transfer.Cli.Tests --filter "FullyQualifiedName~HostileSuite" -- NUnit.NumberOfTestWorkers=1
  end_report "$page" "$table" "| protocol"
}

# The speed of samples/Transfer.Fleet by its number of workers: no part of `test`, which asserts no speed.
fleet() {
  local page=$root/docs/reports/fleet.md table=$results/fleet.md
  need_sdk
  prepare_servers || die "the servers are missing"
  say "building ..."
  logged fleet-build dotnet build tests/Transfer.ServerTests -c Release -warnaserror -v quiet
  use_memory
  mkdir -p "$results"
  rm -f "$table"
  TRANSFER_FLEET_REPORT=$table run_tests Transfer.ServerTests --filter "FullyQualifiedName~FleetSpeed"
  end_report "$page" "$table" "| workers"
}

# The libraries with an approved surface: cmdlets have none.
surfaces() {
  local project
  for project in $(libraries); do [ ! -f "${project}PublicAPI.Shipped.txt" ] || printf '%s\n' "$project"; done
}

accept_api() {
  need_sdk
  mkdir -p "$logs"
  local project file
  for project in $(surfaces); do printf '#nullable enable\n' >"${project}PublicAPI.Unshipped.txt"; done
  # What the files lack is a warning each, with its text.
  for project in $(surfaces); do
    dotnet build "$project" -c Release -v quiet --no-incremental -p:TreatWarningsAsErrors=false -p:MSBuildTreatWarningsAsErrors=false
  done >"$logs/api.log" 2>&1 </dev/null || { cat "$logs/api.log" >&2; die "the build failed"; }
  for project in $(surfaces); do
    file=${project}PublicAPI.Unshipped.txt
    sed -n "s|.*/${project}.*warning RS0016: Symbol '\(.*\)' is not part of the declared public API.*|\1|p" "$logs/api.log" | LC_ALL=C sort -u >>"$file"
  done
  say "accepted: look at the difference, then commit src/*/PublicAPI.Unshipped.txt"
}

verb=${1:-help}
[ $# -eq 0 ] || shift
# Compilers, shells and tests end before code that is measured first pays: without that, tests take a third less of the processor. What is
# benchmarked runs as at its users.
case "$verb" in bench | wan) ;; *) export DOTNET_TieredPGO=0 ;; esac
case "$verb" in
  help | -h | --help) usage ;;
  build) build; publish_command ;;
  test) test_all "$@" ;;
  chaos) chaos "$@" ;;
  soak) soak "$@" ;;
  faults) faults "$@" ;;
  fuzz) fuzz "$@" ;;
  hostile) hostile "$@" ;;
  fleet) fleet ;;
  slurm) slurm ;;
  bench) bench "$@" ;;
  wan) wan "$@" ;;
  pack) pack ;;
  site) site ;;
  demo) demo "$@" ;;
  format) need_sdk && dotnet format Transfer.slnx ;;
  servers) prepare_servers ;;
  accept-api) accept_api ;;
  *)
    usage >&2
    exit 2
    ;;
esac
