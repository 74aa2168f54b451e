/** A real database with a project and an effort, and an engine on top; for the tests of this folder. */
import { join } from 'node:path'
import { eventOf, tempDir } from '../../test/kit.ts'
import type { HookEvent, Verdict } from '../events/index.ts'
import { type EffortRow, openStore, type Store, type WorkSessionRow } from '../store/index.ts'
import { type WorkSettings, workSettingsSchema } from './config.ts'
import type { WorkContext } from './context.ts'
import type { Signal } from './coordination/signals.ts'
import { type NewEffort, startEffort } from './efforts/efforts.ts'
import { type EngineParts, WorkEngine } from './engine.ts'

export const DEFAULT_WORK_SETTINGS: WorkSettings = workSettingsSchema().parse({})

export interface Bench {
  readonly store: Store
  readonly engine: WorkEngine
  readonly dir: string
  readonly clock: { now: number }
  readonly usage: Map<string, number>
  readonly signals: Signal[]
  readonly raised: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> }[]
  context(env?: WorkContext['env']): WorkContext
  begin(wanted?: Partial<NewEffort>): EffortRow
  commit<T>(work: () => T): T
  /** Like the pipeline: appends, decides in the same commit, then runs the followers. */
  hear(type: string, parts?: Partial<HookEvent>): Verdict
  /** Like `hear`, for an event that nobody waits for. */
  overhear(type: string, parts?: Partial<HookEvent>): void
  /** Like a client that makes the call itself. */
  call(name: string, args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** The newest window of a session. */
  window(sessionId?: string, agentId?: string, agent?: string): WorkSessionRow
}

/** `before`: a bench whose folder, database and clock this one takes over, like a restarted daemon. */
export function bench(
  parts: Partial<EngineParts> = {},
  settings: Partial<WorkSettings> = {},
  before?: Bench,
): Bench {
  const dir = before?.dir ?? tempDir()
  const store = openStore(join(dir, 'gantry.db'))
  const clock = before?.clock ?? { now: 1_763_000_000_000 }
  const usage = new Map<string, number>()
  const signals: Signal[] = []
  const raised: Bench['raised'] = []
  const engine = new WorkEngine({
    rows: store.work,
    settings: () => ({ ...DEFAULT_WORK_SETTINGS, ...settings }),
    tasks: join(dir, 'tasks'),
    rootsOf: () => [],
    usageOf: (_agent, sessionId) => usage.get(sessionId),
    relaxed: (work) => store.journal.relaxed(work),
    raise: (name, payload) => raised.push({ name, payload }),
    signal: (signal) => signals.push(signal),
    now: () => clock.now,
    ...parts,
  })
  const take = <T>(event: HookEvent, act: (event: HookEvent) => T): T => {
    engine.lookAhead(event)
    const result = store.journal.commit(() => {
      Object.assign(event, { seq: store.journal.append(event) })
      return act(event)
    })
    engine.committed([event], () => undefined)
    return result
  }
  const made = (type: string, parts: Partial<HookEvent>) => {
    clock.now += 1_000
    const { now: at } = clock
    return eventOf({ type, native: type, cwd: dir, at, receivedAt: at, ...parts })
  }
  return {
    store,
    engine,
    dir,
    clock,
    usage,
    signals,
    raised,
    context: (env = {}) => engine.context('claude', env),
    begin: (wanted = {}) => {
      const effort = store.journal.commit(() =>
        startEffort(engine.context('claude', {}), { cwd: dir, skill: 'implement', ...wanted }),
      )
      engine.refresh()
      return effort
    },
    commit: (work) => store.journal.commit(work),
    hear: (type, parts = {}) => take(made(type, parts), (event) => engine.decide(event)),
    overhear: (type, parts = {}) => take(made(type, parts), (event) => engine.observe(event)),
    call: (name, args) => {
      const asked = engine.asked(name, { cwd: dir, ...args })
      const event = made(asked.type, { sessionId: asked.input.sessionId, transport: 'rpc' })
      engine.expect(event.id, asked)
      take(event, (one) => engine.decide(one))
      return engine.resultOf(event.id) ?? {}
    },
    window: (sessionId = 's1', agentId = '', agent = 'claude') => {
      const found = store.work.sessionOf(agent, sessionId, agentId)
      if (!found) throw new Error(`no window of ${agent} ${sessionId} ${agentId}`)
      return found
    },
  }
}

export function tool(name: string, input: unknown = {}): Partial<HookEvent> {
  return { tool: { name, input, useId: `t-${name}` } }
}
