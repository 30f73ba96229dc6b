"""Scripts that make a shell ask `upcard` for completions.

If `upcard` has no answer, the shell completes names of files.
"""

from __future__ import annotations

BASH = r"""
_upcard_completion() {
    local IFS=$'\n'
    COMPREPLY=($(_UPCARD_COMPLETE=bash _UPCARD_LINE="${COMP_LINE:0:COMP_POINT}" \
        _UPCARD_BREAKS="$COMP_WORDBREAKS" "$1" 2> /dev/null))
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && type compopt &> /dev/null; then
        compopt -o nospace
    fi
}
complete -o default -F _upcard_completion upcard
"""

ZSH = r"""
_upcard() {
    local -a lines described
    local line
    lines=("${(@f)$(_UPCARD_COMPLETE=zsh _UPCARD_LINE="${(j: :)words[1,CURRENT]}" ${words[1]} 2> /dev/null)}")
    for line in $lines; do
        described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    if (( $#described )); then
        _describe -V upcard described
    else
        _files
    fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _upcard upcard
"""

FISH = r"""
function __upcard_completion
    set -l answer (_UPCARD_COMPLETE=fish _UPCARD_LINE=(commandline -cp | string collect) upcard 2> /dev/null)
    if set -q answer[1]
        printf '%s\n' $answer
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c upcard -f -a '(__upcard_completion)'
"""

SCRIPTS = {"bash": BASH.lstrip(), "zsh": ZSH.lstrip(), "fish": FISH.lstrip()}
