/** Drift of payloads as lines for `gantry doctor`, each once. */
import { agents } from '../../agents/index.ts'
import { age } from '../../core/text/amount.ts'
import type { Baseline, Finding } from '../../rpc/index.ts'
import type { BaselineRow, Counter, DriftRow } from '../../store/index.ts'

const RANK: Readonly<Record<string, number>> = { breaking: 0, notable: 1, info: 2 }

/** The worst first; accepted drift is left out. */
export function driftFindings(rows: readonly DriftRow[]): Finding[] {
  const open = rows
    .filter(({ acceptedAt }) => acceptedAt === null)
    .sort((a, b) => (RANK[a.severity] ?? 3) - (RANK[b.severity] ?? 3))
  return open.map(({ agent, message, severity, at }): Finding => {
    return {
      level: 'warn',
      about: 'drift',
      message: `${message}, ${severity === 'breaking' ? 'breaking, ' : ''}first seen ${age(Date.now() - at)} ago`,
      fix: fixFor(agent),
      kind: `drift ${knownAgent(agent)} ${severity}`,
      seen: { count: 1, firstAt: at, lastAt: at },
    }
  })
}

/** Groups all unknown agents, since anybody may post payloads under any agent's name. */
export function knownAgent(name: string | undefined): string {
  return name !== undefined && agents.has(name) ? name : ''
}

export function fixFor(agent: string): string {
  return `Look: gantry schema diff --agent ${agent}   Accept: gantry schema baseline --agent ${agent}`
}

/** True if a drift line already covers this counter, or did until it was accepted. */
export function isCovered(rows: readonly DriftRow[], counterKey: string): boolean {
  return rows.some(({ agent, event, path, kind, now }) => {
    const about = `${agent} ${event}`
    if (counterKey !== about && !counterKey.startsWith(`${about} `)) return false
    if (kind === 'new-event') return true
    const [name = ''] = counterKey.slice(about.length + 1).split(':')
    const paths = kind === 'renamed-field' ? [path, now ?? ''] : [path]
    return paths.some((one) => one === name || one.startsWith(`${name}.`) || one.startsWith(`${name}[`))
  })
}

/**
 * True for an unknown field or event that a person has accepted since: it is in their baseline, or was not seen again.
 */
export function acceptedIn(rows: readonly BaselineRow[]): (counter: Counter) => boolean {
  const acceptedAt = new Map(rows.map(({ agent, at }) => [agent, at]))
  let names: ReadonlySet<string> | undefined
  return ({ key, lastAt }) => {
    const [agent = '', event = ''] = key.split(' ')
    const at = acceptedAt.get(agent)
    if (at === undefined || lastAt <= at) return at !== undefined
    names ??= namesIn(rows)
    // `claude Stop cwd:object` is a field of another type; keys that are data are learned as one name.
    return [key, key.replace(/:\w+$/, ''), `${agent} ${event} *`].some((name) => names?.has(name))
  }
}

/** `claude Stop`, `claude Stop mood`, … */
function namesIn(rows: readonly BaselineRow[]): Set<string> {
  const names = new Set<string>()
  for (const { agent, baseline } of rows) {
    for (const [event, { fields = {} }] of Object.entries((JSON.parse(baseline) as Baseline).events)) {
      names.add(`${agent} ${event}`)
      for (const path of Object.keys(fields)) names.add(`${agent} ${event} ${path.replace(/\?$/, '')}`)
    }
  }
  return names
}
