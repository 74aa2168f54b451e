/** The parts that the scripts for bash and zsh have in common. */
import { type Completed, quoted, type Source } from './completion-table.ts'

/** Lines of a `case` on the command and the option before the word; bash and zsh read them alike. */
export function casesOfValues({ name, options }: Completed): string[] {
  return options.flatMap((option) => {
    if (option.value === undefined || option.name === 'home') return []
    const word = sourceWord(option.value) || 'nothing'
    const forms = [`--${option.name}`, ...(option.short ? [`-${option.short}`] : [])]
    return [`    ${forms.map((form) => quoted(`${name} ${form}`)).join('|')}) value=${quoted(word)} ;;`]
  })
}

/** A source in one word: `words:a b`, `ask:sessions`, `file`, or nothing. */
export function sourceWord(source: Source): string {
  switch (source.kind) {
    case 'words':
      return `words:${source.words.join(' ')}`
    case 'sessions':
    case 'channels':
    case 'approvals':
      return `ask:${source.kind}`
    case 'nothing':
      return ''
    default:
      return source.kind
  }
}
