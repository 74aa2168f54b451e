/** Shared by the commands about efforts: selecting one, printing one in a line, bars. */
import type { EffortView } from '../../client/index.ts'
import { bold, dim, green, out, outJson, plain, red, yellow } from '../framework/terminal.ts'

/** Selects an effort: by its id, or that of this folder. */
export function which({ effort }: { readonly effort: number | undefined }) {
  return effort === undefined ? { cwd: process.cwd() } : { effort }
}

/** `✓ effort 4 implement · phase test`, or JSON. */
export function told(json: boolean, effort: EffortView, ...more: readonly string[]): number {
  if (json) return outJson(effort)
  out([`${green('✓')} ${nameOf(effort)}`, ...more].join('\n'))
  return 0
}

export function nameOf({ id, skill, title, currentPhase, agentId }: EffortView): string {
  const parts = [
    plain(title),
    ...(currentPhase === null ? [] : [`phase ${plain(currentPhase)}`]),
    ...(agentId === null ? [] : [`agent ${plain(agentId)}`]),
  ]
  return `${bold(`effort ${id}`)} ${plain(skill)} ${dim('·')} ${parts.join(dim(' · '))}`
}

interface Limits {
  /** Yellow from here on. */
  readonly warn: number
  /** Red from here on. */
  readonly full: number
}

const BAR_COLUMNS = 10

/** `▮▮▮▯▯▯▯▯▯▯`, coloured by how near the limit is; `share` is 0 to 1. */
export function bar(share: number, { warn, full }: Limits): string {
  const filled = Math.min(BAR_COLUMNS, Math.max(0, Math.round(share * BAR_COLUMNS)))
  const colour = share >= full ? red : share >= warn ? yellow : green
  return colour('▮'.repeat(filled)) + dim('▯'.repeat(BAR_COLUMNS - filled))
}
