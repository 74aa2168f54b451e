/** The completions for zsh, with what each word means; to be sourced, or put into a folder of fpath as _gantry. */
import { casesOfValues, sourceWord } from './completion-cases.ts'
import { type Completed, firstWords, groupsOf, quoted } from './completion-table.ts'

export function zshScript(table: readonly Completed[]): string {
  const groups = [...groupsOf(table)].map(
    ([name, commands]) =>
      `    ${name}) subs=(${commands.map((one) => described(one.name.split(' ')[1] ?? '', one.summary)).join(' ')}) ;;`,
  )
  return `#compdef gantry
# Completions of gantry for zsh. Made by: gantry completions zsh
_gantry() {
  local self=\${(Q)~words[1]} prev=\${words[CURRENT-1]} name=\${words[2]} arg= value=
  local -a firsts subs opts home
  firsts=(${firstWords(table)
    .map(([name, summary]) => described(name, summary))
    .join(' ')})
  if (( CURRENT == 2 )); then _describe command firsts; return; fi
  case $name in
${groups.join('\n')}
  esac
  if (( $#subs )); then
    if (( CURRENT == 3 )); then _describe command subs; return; fi
    name="$words[2] $words[3]"
  fi
  case $name in
${table.map(caseOf).join('\n')}
    *) return 1 ;;
  esac
  # --name=value: what stands before the sign is the option
  if [[ $words[CURRENT] == --*=* ]]; then prev=\${words[CURRENT]%%=*}; compset -P 1 '*='; fi
  case "$name $prev" in
${table.flatMap(casesOfValues).join('\n')}
    *' --home') value=dir ;;
  esac
  [[ -n $value ]] && arg=$value
  if [[ -z $value && $PREFIX == -* ]]; then _describe -o option opts; return; fi
  (( \${words[(I)--home]} )) && home=(--home \${(Q)words[\${words[(I)--home]}+1]})
  case $arg in
    file) _files ;;
    dir) _files -/ ;;
    command) _command_names -e ;;
    words:*) compadd -- \${=arg#words:} ;;
    ask:*) compadd -- \${(f)"$($self complete \${arg#ask:} $home 2>/dev/null)"} ;;
  esac
}
if [[ \${funcstack[1]} == _gantry ]]; then _gantry "$@"; else compdef _gantry gantry; fi
`
}

/** In a list for _describe, a colon parts the word from its meaning. */
function described(word: string, meaning: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${meaning}`)
}

function caseOf({ name, options, argument }: Completed): string {
  const flags = options.map((one) => described(`--${one.name}`, one.help)).join(' ')
  return `    ${quoted(name)}) arg=${quoted(sourceWord(argument))}; opts=(${flags}) ;;`
}
