#!/bin/sh
# Asks an engine from Debian: ENGINE is quakespasm, darkplaces-server or mvdsv. QuakeSpasm plays mods only with id's
# gfx/pop.lmp, whose path is in POP.
engine=${ENGINE:-quakespasm}
base=$1
shift
PATH=$PATH:/usr/games
mkdir -p "$base/id1/gfx"
case $engine in
quakespasm)
    printf 'WAD2\0\0\0\0\14\0\0\0' >"$base/id1/gfx.wad"
    cp "${POP:?the path of pop.lmp}" "$base/id1/gfx/pop.lmp"
    set -- -dedicated -ip 127.0.0.1 -port 0 "$@"
    ;;
darkplaces-server) set -- -ip 127.0.0.1 "$@" ;;
*) set -- -ip 127.0.0.1 -port 0 "$@" ;;
esac
cat >"$HOME/names"
awk -v engine="$engine" '
    NR == 1 && engine == "darkplaces-server" { print "developer 1\ndeveloper_extra 1" }
    { print "echo @?" NR }
    # its exec takes the name as a pattern; the search for a model says which file it found
    engine == "darkplaces-server" { print "modeldecompile \"" $0 "\"" }
    { print "exec \"" $0 "\"" }
    END { print "echo @?end" }' "$HOME/names" >"$base/id1/probe.cfg"
cd "$HOME" || exit 2
"$engine" -basedir "$base" "$@" +exec probe.cfg +quit >"$HOME/said" 2>&1 </dev/null
grep -q '@?' "$HOME/said" || exit 1
awk -v base="$base/" -v engine="$engine" '
    function trimmed(text) { sub(/[ \r]+$/, "", text); return text }
    NR == FNR { names[FNR] = $0; next }
    index($0, "@?") { number = substr($0, index($0, "@?") + 2) + 0; next }
    # the first search is for the name, a later one may be for another match of the pattern
    engine == "darkplaces-server" && /^FS_FindFile: / && !(number in searched) {
        searched[number] = 1
        if (index($0, base)) found[number] = trimmed(substr($0, index($0, base) + length(base)))
    }
    index($0, "@@") {
        copy = trimmed(substr($0, index($0, "@@") + 2))
        if (engine != "darkplaces-server" && !(number in found)) found[number] = copy
        # the entry of an archive
        if (number in found && index(copy, found[number] ":") == 1) found[number] = copy
    }
    END {
        for (number = 1; number in names; number++)
            print names[number] (number in found ? "\techo @@" found[number] : "")
    }' "$HOME/names" "$HOME/said"
