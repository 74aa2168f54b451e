/** Formats differences, one line each; the same change in several events is one line. */
import { changeText, SEVERITIES } from '../../insight/schema/index.ts'
import type { Difference, Severity } from '../../rpc/index.ts'
import { bold, cyan, dim, plain, red, yellow } from '../framework/terminal.ts'

const COLOURS: Readonly<Record<Severity, (text: string) => string>> = {
  breaking: red,
  notable: yellow,
  info: cyan,
}

export function differenceLines(differences: readonly Difference[]): string[] {
  const groups = Map.groupBy(differences, (one) =>
    [one.agent, one.severity, one.tool, changeText(one)].join('\n'),
  )
  const agents = new Set(differences.map(({ agent }) => agent))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const events = group.map(({ event }) => event).filter(Boolean)
    const where = [agents.size > 1 ? first.agent : '', events.join(', '), first.tool]
      .filter(Boolean)
      .join(' ')
    const mark = COLOURS[first.severity](first.severity.padEnd(9))
    return [`${mark} ${where === '' ? '' : `${bold(plain(where))}: `}${plain(changeText(first))}`]
  })
}

export function summaryLine(differences: readonly Difference[]): string {
  if (differences.length === 0) return 'No differences.'
  const counts = SEVERITIES.map((severity) => {
    const count = differences.filter((one) => one.severity === severity).length
    return count === 0 ? '' : `${count} ${severity}`
  })
  return dim(`${counts.filter(Boolean).join(', ')}`)
}
