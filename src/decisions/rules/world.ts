/** What rules know beyond their event: what its tool call does, and the facts of its session. Each is looked up when a rule asks. */
import { homeOf } from '../../core/files/paths.ts'
import { type HookEvent, keyOf } from '../../events/index.ts'
import type { Git } from '../../git/index.ts'
import { phaseOf, printOf, type Session } from '../../sessions/state/index.ts'
import { type ToolCall, ToolCalls } from '../tool-calls.ts'

export const FACT_NAMES = [
  'agent',
  'phase',
  'permissionMode',
  'subagent',
  'branch',
  'dirty',
  'contextUse',
  'costUsd',
  'repeats',
  'effort',
  'host',
  'time',
  'weekday',
  'turn',
] as const
export type FactName = (typeof FACT_NAMES)[number]

/** Before "is not known". */
const FACT_WORDS: Partial<Record<FactName, string>> = {
  permissionMode: 'its permission mode',
  subagent: 'whether a sub-agent does it',
  dirty: 'whether its repository has uncommitted changes',
  contextUse: 'how full its context window is',
  costUsd: 'its cost',
  repeats: 'how often it was repeated',
  turn: 'which turn it belongs to',
}

export function factWords(name: FactName): string {
  return FACT_WORDS[name] ?? `its ${name}`
}

/** Undefined: nobody knows. Null: there is none. */
export type Fact = string | number | boolean | null | undefined

/** In an example: as the rule wants it. */
export const ASSUMED = Symbol('assumed')

export interface World {
  call(event: HookEvent): ToolCall | undefined
  fact(event: HookEvent, name: FactName): Fact | typeof ASSUMED
  /** The repository around a folder and, for a linked worktree, its main repository, as last known. */
  rootsOf?(cwd: string): readonly string[]
}

interface WorldParts {
  readonly calls: Pick<ToolCalls, 'of'>
  readonly session?: (key: string) => Session | undefined
  readonly git?: Pick<Git, 'locationOf' | 'get' | 'hasSeen' | 'rootsOf'>
  /** The skill of the effort that the session works on. */
  readonly effort?: (event: HookEvent) => string | null
  readonly host?: () => string
}

export function worldOf({ calls, session: find, git, effort, host }: WorldParts): World {
  return {
    call: (event) => calls.of(event),
    rootsOf: (cwd) => git?.rootsOf(cwd) ?? [],
    fact(event, name) {
      switch (name) {
        case 'agent':
          return event.agent
        case 'subagent':
          return event.agentId !== undefined
        case 'host':
          return host?.()
        case 'time':
          return minutesOf(event.receivedAt)
        case 'weekday':
          return DAYS[new Date(event.receivedAt).getDay()]
        case 'effort':
          return effort?.(event)
      }
      const session = find?.(keyOf(event))
      const cwd = event.cwd ?? session?.cwd
      const isSeen = cwd !== undefined && git?.hasSeen(cwd) === true
      switch (name) {
        case 'phase':
          return session && phaseOf(session)
        case 'permissionMode':
          return event.permissionMode ?? session?.permissionMode
        case 'branch': {
          const place = git?.locationOf(cwd) // also looks, for the next who asks
          return place?.branch ?? (isSeen ? null : undefined)
        }
        case 'dirty': {
          if (cwd === undefined || git === undefined) return undefined
          return git.locationOf(cwd).root === undefined && isSeen ? null : git.get(cwd)?.facts.dirty
        }
        case 'contextUse':
          return event.usage?.contextPct ?? session?.usage.contextPct
        case 'costUsd':
          return event.usage?.costUsd ?? session?.usage.costUsd
        case 'repeats':
          return session && event.tool && repeatsOf(session, event)
        case 'turn':
          return event.turnId ?? session?.turn.startedAt
      }
    },
  }
}

export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** Since midnight, by this machine's clock. */
function minutesOf(at: number): number {
  const date = new Date(at)
  return date.getHours() * 60 + date.getMinutes()
}

/** How often the same call has ended among the session's latest calls. */
function repeatsOf(session: Session, event: HookEvent): number {
  const print = printOf(event)
  return session.closedCalls.filter((closed) => closed.print === print).length
}

/** Where there is only the event. */
export const EVENT_ALONE: World = worldOf({
  calls: new ToolCalls({ home: homeOf(), rootOf: () => undefined }),
})
