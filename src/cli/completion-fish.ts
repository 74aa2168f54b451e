/** The completions for fish. */
import { type Completed, type CompletedOption, firstWords, type Source } from './completion-table.ts'

export function fishScript(table: readonly Completed[]): string {
  const names = table.map(({ name }) => fishWord(name)).join(' ')
  return `# Completions of gantry for fish. Made by: gantry completions fish
function __gantry_command
    set -l words (commandline -opc) ''  ''
    if contains -- "$words[2] $words[3]" ${names}
        echo "$words[2] $words[3]"
    else if contains -- "$words[2]" ${names}
        echo $words[2]
    end
end
function __gantry_is
    set -l name (__gantry_command)
    test "$name" = "$argv[1]"
end
function __gantry_after
    set -l words (commandline -opc)
    test (count $words) -eq (count $argv); or return 1
    test "$words[2..-1]" = "$argv[2..-1]"
end
function __gantry_ask
    set -l words (commandline -opc)
    set -l home
    set -l at (contains -i -- --home $words); and set home --home $words[(math $at + 1)]
    $words[1] complete $argv[1] $home 2>/dev/null
end
complete -c gantry -f
${firstWords(table)
  .map(
    ([name, summary]) => `complete -c gantry -n '__gantry_after gantry' -a ${name} -d ${fishWord(summary)}`,
  )
  .join('\n')}
${table.flatMap(linesOf).join('\n')}
`
}

function linesOf({ name, summary, options, argument }: Completed): string[] {
  const [first = '', second] = name.split(' ')
  const here = `complete -c gantry -n ${fishWord(`__gantry_is '${name}'`)}`
  const own =
    second === undefined
      ? []
      : [`complete -c gantry -n '__gantry_after gantry ${first}' -a ${second} -d ${fishWord(summary)}`]
  return [
    ...own,
    ...options.map((option) => `${here} ${optionWords(option)}`),
    ...(argument.kind === 'nothing' ? [] : [`${here} ${sourceWords(argument)}`]),
  ]
}

function optionWords({ name, short, help, value }: CompletedOption): string {
  const flags = `-l ${name}${short === undefined ? '' : ` -s ${short}`}`
  const takes = value === undefined ? '' : value.kind === 'nothing' ? ' -x' : ` -r ${sourceWords(value)}`
  return `${flags}${takes} -d ${fishWord(help)}`
}

function sourceWords(source: Source): string {
  switch (source.kind) {
    case 'nothing':
      return ''
    case 'words':
      return `-f -a ${fishWord(source.words.join(' '))}`
    case 'file':
      return '-F'
    case 'dir':
      return `-f -a '(__fish_complete_directories)'`
    case 'command':
      return `-f -a '(__fish_complete_command)'`
    case 'sessions':
    case 'channels':
    case 'approvals':
      return `-f -a '(__gantry_ask ${source.kind})'`
  }
}

function fishWord(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
