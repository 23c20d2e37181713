#!/bin/sh
# Asks quakefs. QUAKEFS is the command, ENGINE the engine whose rules apply.
base=$1
shift
quakefs() {
    "${QUAKEFS:-quakefs}" --basedir "$base" --engine "${ENGINE:-quakespasm}" ${USERDIR:+--userdir "$USERDIR"} "$@" 2>/dev/null
}
case $(quakefs "$@" --json path | head -n 1) in *'"engine_stops"'*) exit 1 ;; esac
while IFS= read -r name; do
    # the exit code also tells of a missing game directory
    case $(quakefs "$@" --json which -- "$name") in
    *'"found":true'*)
        # bytes as \xNN
        printf '%s\t%s\n' "$name" "$(quakefs "$@" cat -- "$name" | od -An -v -tx1 | tr -d '\n' | sed 's/ /\\x/g')"
        ;;
    *) printf '%s\n' "$name" ;;
    esac
done
