/** The completions for bash, from 3.2 on, without the package bash-completion. */
import { casesOfValues, sourceWord } from './completion-cases.ts'
import { type Completed, firstWords, groupsOf, quoted } from './completion-table.ts'

export function bashScript(table: readonly Completed[]): string {
  const groups = [...groupsOf(table)].map(
    ([name, commands]) =>
      `    ${name}) subs=${quoted(commands.map((one) => one.name.split(' ')[1]).join(' '))} ;;`,
  )
  return `# Completions of gantry for bash. Made by: gantry completions bash
_gantry() {
  local self=\${COMP_WORDS[0]/#\\~/$HOME} cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local first=\${COMP_WORDS[1]} second=\${COMP_WORDS[2]} subs= opts= arg= value= name= i
  COMPREPLY=()
  # bash takes --name=value apart at the sign
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(
      firstWords(table)
        .map(([name]) => name)
        .join(' '),
    )} -- "$cur"))
    return
  fi
  case $first in
${groups.join('\n')}
  esac
  name=$first
  if [ -n "$subs" ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then
      COMPREPLY=($(compgen -W "$subs" -- "$cur"))
      return
    fi
    name="$first $second"
  fi
  case $name in
${table.map(caseOf).join('\n')}
    *) return ;;
  esac
  case "$name $prev" in
${table.flatMap(casesOfValues).join('\n')}
    *' --home') value=dir ;;
  esac
  [ -n "$value" ] && arg=$value
  if [ -z "$value" ] && [ "\${cur:0:1}" = - ]; then
    COMPREPLY=($(compgen -W "$opts" -- "$cur"))
    return
  fi
  local home=()
  for ((i = 2; i < COMP_CWORD - 1; i++)); do
    [ "\${COMP_WORDS[i]}" = --home ] && home=(--home "\${COMP_WORDS[i+1]}")
  done
  case $arg in
    file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    dir) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    command) COMPREPLY=($(compgen -c -- "$cur")) ;;
    words:*) COMPREPLY=($(compgen -W "\${arg#words:}" -- "$cur")) ;;
    ask:*) COMPREPLY=($(compgen -W "$("$self" complete "\${arg#ask:}" "\${home[@]}" 2>/dev/null)" -- "$cur")) ;;
  esac
}
complete -F _gantry gantry
`
}

function caseOf({ name, options, argument }: Completed): string {
  const flags = options.map((one) => `--${one.name}`).join(' ')
  return `    ${quoted(name)}) opts=${quoted(flags)} arg=${quoted(sourceWord(argument))} ;;`
}
