/** The scripts that complete command lines in a shell: each asks `gantry complete` what may come next. */
import type { Input } from '../framework/define.ts'
import { out } from '../framework/terminal.ts'
import type * as commands from './index.ts'

/** From bash 3.2 on, without the package bash-completion. */
const bash = `# Completions of gantry for bash. Made by: gantry completions bash
_gantry() {
  local self=\${COMP_WORDS[0]/#\\~/$HOME} cur=\${COMP_WORDS[COMP_CWORD]} IFS=$'\\n'
  [ "$cur" = = ] && cur=
  COMPREPLY=($("$self" complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  case \${COMPREPLY[0]} in
    :file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    :dir) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    :command) COMPREPLY=($(compgen -c -- "$cur")) ;;
  esac
}
complete -F _gantry gantry
`

/** To be sourced, or put into a folder of fpath as _gantry. */
const zsh = `#compdef gantry
# Completions of gantry for zsh. Made by: gantry completions zsh
_gantry() {
  local self=\${(Q)~words[1]}
  local -a offers
  offers=("\${(@f)$($self complete zsh "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  # --name=value: the value alone is completed
  [[ $words[CURRENT] == --*=* ]] && compset -P 1 '*='
  case $offers[1] in
    '') return 1 ;;
    :file) _files ;;
    :dir) _files -/ ;;
    :command) _command_names -e ;;
    *) _describe gantry offers ;;
  esac
}
if [[ \${funcstack[1]} == _gantry ]]; then _gantry "$@"; else compdef _gantry gantry; fi
`

const fish = `# Completions of gantry for fish. Made by: gantry completions fish
function __gantry_complete
    set -l words (commandline -opc)
    set -l cur (commandline -ct)
    set -l self $words[1]
    set -e words[1]
    set -l offers ($self complete fish $words "$cur" 2>/dev/null)
    switch "$offers[1]"
        case ''
            return
        case :file
            __fish_complete_path "$cur"
        case :dir
            __fish_complete_directories "$cur"
        case :command
            __fish_complete_command
        case '*'
            printf '%s\\n' $offers
    end
end
complete -c gantry -f -a '(__gantry_complete)'
`

const SCRIPTS = { bash, zsh, fish } as const

export async function run({ args: { shell } }: Input<typeof commands.completions>): Promise<number> {
  out(SCRIPTS[shell])
  return 0
}
