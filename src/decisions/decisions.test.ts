import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { eventOf, makeHome, rawEvent, silentLog } from '../../test/kit.ts'
import { makeFolders } from '../core/files/private-files.ts'
import { DEFAULT_CONFIG } from '../daemon/config/defaults.ts'
import { openServices } from '../daemon/services.ts'
import type { HookEvent, HookReply, RawEvent, Verdict } from '../events/index.ts'
import { isPending } from '../ingest/pending-decisions.ts'
import { redactAndParse } from '../ingest/replies.ts'
import type { Session } from '../sessions/state/index.ts'
import { openStore } from '../store/index.ts'
import type { Person } from './approvals/index.ts'
import { Decisions } from './decisions.ts'
import type { Handlers } from './handlers/index.ts'
import { Policy, parseRules } from './rules/index.ts'

const LONG = 'remember this. '.repeat(5_000)

async function setup() {
  const places = makeHome()
  makeFolders(places)
  const store = openStore(places.database)
  const services = openServices({
    ...{ places, store, log: silentLog(), startedAt: Date.now() },
    config: () => DEFAULT_CONFIG,
  })
  const rules = `rules: [{ id: long, on: UserPromptSubmit, context: "${LONG}" }]`
  services.policy.replace(await parseRules(rules, 'long.yaml'))
  const files = () => (existsSync(places.contexts) ? readdirSync(places.contexts) : [])
  const prompt = () =>
    new Promise<HookReply | undefined>((resolve) => {
      const raw = JSON.stringify({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'go on' })
      services.pipeline.take(rawEvent({ raw, at: Date.now(), receivedAt: Date.now() }), resolve)
    })
  return { store, files, prompt }
}

test('context that is too long for its agent is written to a file after the commit, and before the answer', async () => {
  const { store, files, prompt } = await setup()
  const { journal } = store
  const real = journal.commit.bind(journal)
  const within: string[][] = []
  journal.commit = (work) =>
    real(() => {
      const done = work()
      within.push(files())
      return done
    })
  const reply = await prompt()
  expect(within[0]).toEqual([])
  const file = /all of it is in ([^\]]+)\]/.exec(reply?.stdout ?? '')?.[1] ?? ''
  expect(readFileSync(file, 'utf8')).toBe(LONG)
})

test('a commit that fails leaves no file behind', async () => {
  const { store, files, prompt } = await setup()
  const { journal } = store
  const real = journal.commit.bind(journal)
  journal.commit = (work) =>
    real(() => {
      work()
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    })
  expect(await prompt()).toBeUndefined()
  expect(files()).toEqual([])
})

interface Said {
  readonly rules?: string
  readonly guard?: Verdict | ((event: HookEvent) => Verdict)
  readonly work?: Verdict
  /** What a handler says; without it, none is registered. */
  readonly handler?: Verdict
  /** What a person says; without it, nobody is there. */
  readonly person?: Verdict
  readonly session?: { open: boolean; prompted: boolean }
}

const NONE: Verdict = { decision: 'none' }
const DENY: Verdict = { decision: 'deny', reason: 'no' }

/** Decisions where each of those who are asked says one thing, and what was asked and raised by whom. */
async function deciding({ rules = 'rules: []', guard = NONE, work = NONE, handler, person, session }: Said) {
  const asked: string[] = []
  const raised: RawEvent[] = []
  const handlers: Pick<Handlers, 'wants' | 'ask' | 'observe' | 'chainMs'> = {
    chainMs: 1_000,
    wants: () => handler !== undefined,
    ask: async (_event, known) => {
      asked.push('handler')
      return handler?.decision === 'none' && !handler.input ? known : (handler ?? known)
    },
    observe: (event) => {
      asked.push(`observer of ${event.type}`)
    },
  }
  const somebody: Person = {
    holdMs: 60_000,
    wanted: ({ decision }) => decision === 'none' || decision === 'ask',
    answer: async (_verdict, patienceMs) => {
      asked.push(patienceMs > 0 && patienceMs <= 61_000 ? 'person' : `person for ${patienceMs} ms`)
      return person ?? NONE
    },
    abandon: (why) => {
      asked.push(`no person: ${why}`)
    },
  }
  const notified: string[] = []
  const decisions = new Decisions({
    policy: new Policy(await parseRules(rules, 'rules.yaml')),
    guards: { decide: (event) => (typeof guard === 'function' ? guard(event) : guard) },
    others: [{ decide: () => work }],
    handlers: handlers as Handlers,
    approvals: { personFor: () => (person ? somebody : undefined) },
    contexts: '/nonexistent',
    session: () =>
      session && ({ turn: { open: session.open }, prompted: session.prompted } as unknown as Session),
    raise: (one) => raised.push(one),
    notify: (event, says) => notified.push(`${event.type}: ${says}`),
  })
  const decide = async (event: HookEvent) => {
    const decided = decisions.decide(event)
    return isPending(decided) ? decided.settle(61_000) : decided
  }
  const raisedTypes = () => raised.map(({ raw }) => JSON.parse(String(raw)).hook_event_name)
  return { decisions, decide, asked, raised, raisedTypes, notified }
}

const hook = (type: string, parts: Partial<HookEvent> = {}) => eventOf({ type, native: type, ...parts })
const call = (parts: Partial<HookEvent> = {}) =>
  hook('PreToolUse', { tool: { name: 'Bash', input: { command: 'ls' } }, ...parts })

test('a rule with notify tells the person, when the agent has its answer', async () => {
  const rules = 'rules: [{ id: r, on: PreToolUse, then: { deny: no, notify: look } }]'
  const { decisions, decide, notified } = await deciding({ rules })
  const verdict = await decide(call())
  expect(notified).toEqual([])
  decisions.answered(call(), verdict)
  decisions.answered(call(), { decision: 'deny' })
  expect(notified).toEqual(['PreToolUse: look'])
})

describe('a guard', () => {
  const ASK: Verdict = { decision: 'ask', reason: 'sure?', by: 'guard:x' }
  const ruling = (decision: string, more = '') =>
    `rules: [{ id: r, on: PreToolUse, decision: ${decision}, reason: by the rule${more} }]`

  test('is not silenced by a rule that allows', async () => {
    const { decide } = await deciding({ rules: ruling('allow'), guard: ASK })
    expect(await decide(call())).toMatchObject(ASK)
  })

  test('that denies outweighs a rule that asks, and one that asks does not outweigh a rule that denies', async () => {
    const denying = await deciding({ rules: ruling('ask'), guard: { ...DENY, by: 'guard:x' } })
    expect(await denying.decide(call())).toMatchObject({ decision: 'deny', by: 'guard:x' })
    const asking = await deciding({ rules: ruling('deny'), guard: ASK })
    expect(await asking.decide(call())).toMatchObject({ decision: 'deny', by: 'r', reason: 'by the rule' })
  })

  test('judges the input that a rule left', async () => {
    const seen: unknown[] = []
    const { decide } = await deciding({
      rules: ruling('allow', ', input: { command: pwd }'),
      guard: (event) => {
        seen.push(event.tool?.input)
        return NONE
      },
    })
    expect(await decide(call())).toMatchObject({ decision: 'allow', input: { command: 'pwd' } })
    expect(seen).toEqual([{ command: 'pwd' }])
  })

  test('judges the input that a handler left, too, and its approval changes nothing', async () => {
    const { decide } = await deciding({
      handler: { decision: 'allow', input: { command: 'rm -rf /' }, by: 'handler:h' },
      guard: (event) =>
        JSON.stringify(event.tool?.input).includes('rm') ? { ...DENY, by: 'guard:x' } : NONE,
    })
    expect(await decide(call())).toMatchObject({ decision: 'deny', by: 'guard:x' })
  })
})

describe('a handler that rewrites an input with a secret', () => {
  const TOKEN = `gh${'p_16C7e42F292c6912E7710c838347Ae178B4a'}`
  /** As the pipeline makes it: shown without the secret, and known as it was sent. */
  const secret = (command: string) => {
    const payload = {
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    }
    const places = makeHome()
    makeFolders(places)
    const { counters } = openStore(places.database)
    return redactAndParse(rawEvent({ raw: JSON.stringify(payload) }), true, counters)
  }

  test('gives the tool the secret, and never the mark', async () => {
    const seen: unknown[] = []
    const { decide } = await deciding({
      handler: {
        decision: 'none',
        input: { command: 'curl -s -H "X: [redacted]" x.example' },
        by: 'handler:h',
      },
      guard: (event) => {
        seen.push(event.tool?.input)
        return NONE
      },
    })
    const event = secret(`curl -H "X: ${TOKEN}" x.example`)
    expect(event.tool?.input).toEqual({ command: 'curl -H "X: [redacted]" x.example' })
    const command = `curl -s -H "X: ${TOKEN}" x.example`
    expect(await decide(event)).toMatchObject({ decision: 'none', input: { command } })
    expect(seen.at(-1)).toEqual({ command })
  })

  test('is refused where nobody can tell which secret is meant', async () => {
    const { decide } = await deciding({
      handler: { decision: 'allow', input: { command: 'echo [redacted]' }, by: 'handler:h' },
    })
    const other = TOKEN.replace('16C7', '26C7')
    const verdict = await decide(secret(`A=${TOKEN} B=${other} ./run`))
    expect(verdict).toMatchObject({ decision: 'deny', reason: expect.stringContaining('redacted secrets') })
    expect(verdict).not.toHaveProperty('input')
  })
})

describe('those who are asked about an event', () => {
  test('are nobody where nobody is there: it is decided at once', async () => {
    const { decisions } = await deciding({ work: DENY })
    expect(decisions.decide(call())).toMatchObject(DENY)
  })

  test('are the handlers, then a person, each with what those before said', async () => {
    const { decide, asked } = await deciding({ handler: NONE, person: DENY })
    expect(await decide(call())).toMatchObject(DENY)
    expect(asked).toEqual(['handler', 'person'])
  })

  test('are held for as long as all of them together may take', async () => {
    const holdOf = async (said: Said, event = call()) => {
      const decided = (await deciding(said)).decisions.decide(event)
      return isPending(decided) ? decided.holdMs : 0
    }
    expect(await holdOf({ handler: NONE })).toBe(1_000)
    expect(await holdOf({ handler: NONE, person: NONE })).toBe(61_000)
    expect(await holdOf({ person: NONE }, hook('PermissionRequest'))).toBe(60_000)
    expect(await holdOf({ person: NONE })).toBe(0)
  })

  test('are none after a refusal, whoever refused', async () => {
    const ruled = await deciding({ work: DENY, handler: NONE, person: NONE })
    expect(await ruled.decide(call())).toMatchObject(DENY)
    expect(ruled.asked).toEqual([])
    const handled = await deciding({ handler: DENY, person: NONE })
    expect(await handled.decide(call())).toMatchObject(DENY)
    expect(handled.asked).toEqual(['handler'])
  })

  test('are a person alone where a rule asks, or the agent does', async () => {
    const ask = await deciding({ work: { decision: 'ask' }, handler: NONE, person: DENY })
    expect(await ask.decide(call())).toMatchObject(DENY)
    const permission = await deciding({ person: DENY })
    expect(await permission.decide(hook('PermissionRequest'))).toMatchObject(DENY)
    expect([ask.asked, permission.asked]).toEqual([['person'], ['person']])
  })

  test('are told when nobody waits any more', async () => {
    const { decisions, asked } = await deciding({ person: NONE })
    const decided = decisions.decide(hook('PermissionRequest'))
    if (isPending(decided)) decided.abandon?.('gone')
    expect(asked).toEqual(['no person: gone'])
  })

  test.each([
    ['what nobody waits for', call({ transport: 'spool' })],
    ['what was cut', call({ cutFrom: 9_000_000 })],
    ['what is never counted', call({ hidden: 'title-thread' })],
    ['a hook that cannot be told anything', hook('Notification')],
    ['an agent that nobody knows', call({ agent: 'somebody' })],
  ])('are no handlers for %s: those run after it', async (_, event) => {
    const { decisions, asked } = await deciding({ handler: DENY })
    expect(isPending(decisions.decide(event))).toBe(false)
    decisions.committed([event, call()])
    expect(asked).toEqual([`observer of ${event.type}`])
    const without = await deciding({})
    without.decisions.committed([event])
    expect(without.asked).toEqual([])
  })
})

describe('a turn that is kept going too often', () => {
  const KEEP: Verdict = { decision: 'block-stop', reason: 'go on' }

  test('may stop, nobody else is asked, and that is told once', async () => {
    const rules = 'rules: [{ id: on, on: Stop, decision: block-stop, reason: go on }]'
    const { decide, raisedTypes, asked } = await deciding({ rules, handler: KEEP })
    const said: string[] = []
    for (let n = 0; n < 6; n++) said.push((await decide(hook('Stop', { at: n }))).decision)
    expect(said).toEqual(['block-stop', 'block-stop', 'block-stop', 'none', 'none', 'none'])
    expect(raisedTypes()).toEqual(['StopLoopDetected'])
    expect(asked).toEqual([])
  })

  test('by a handler counts against the same limit', async () => {
    const { decide, raisedTypes } = await deciding({ handler: KEEP })
    const said: string[] = []
    for (let n = 0; n < 6; n++) said.push((await decide(hook('Stop', { at: n }))).decision)
    expect(said).toEqual(['block-stop', 'block-stop', 'block-stop', 'none', 'none', 'none'])
    expect(raisedTypes()).toEqual(['StopLoopDetected'])
  })
})

describe('what was refused and is followed by no hook', () => {
  const prompt = (parts: Partial<HookEvent> = {}) => hook('UserPromptSubmit', { prompt: 'go on', ...parts })
  const after = async (event: HookEvent, verdict: Verdict, said: Said = {}) => {
    const { decisions, raisedTypes } = await deciding(said)
    decisions.decide(event)
    decisions.answered(event, verdict)
    return raisedTypes().length
  }

  test('is told: a prompt, a call, a permission', async () => {
    expect(await after(prompt(), DENY)).toBe(1)
    expect(await after(prompt(), { decision: 'ask' })).toBe(1) // whoever would ask about a prompt refuses it
    expect(await after(call(), DENY)).toBe(1)
    expect(await after(call({ type: 'PermissionRequest' }), DENY)).toBe(1)
    expect(await after(call({ agent: 'codex' }), { decision: 'ask' })).toBe(1) // it cannot ask
    expect(await after(call({ transport: 'rpc' }), { decision: 'ask' })).toBe(1) // a call is told yes or no
    expect(await after(call({ transport: 'rpc', agent: 'somebody' }), DENY)).toBe(1)
  })

  test('is not told of what was let through, of whoever cannot be told, and of prompts to sub-agents', async () => {
    expect(await after(prompt(), NONE)).toBe(0)
    expect(await after(call(), { decision: 'ask' })).toBe(0)
    const byPerson: Verdict = { ...DENY, by: 'approval:riko7' }
    expect(await after(call({ type: 'PermissionRequest' }), byPerson)).toBe(0) // its approval tells it
    expect(await after(call({ type: 'PermissionRequest', hidden: 'before-rules' }), DENY)).toBe(0)
    expect(await after(call({ agent: 'somebody' }), DENY)).toBe(0)
    expect(await after(prompt({ agentId: 'a1' }), DENY)).toBe(0)
    expect(await after(hook('Stop'), DENY)).toBe(0)
    expect(await after(hook('Stop', { agent: 'somebody' }), { decision: 'block-stop' })).toBe(0)
  })

  test('ends no turn that was open before the prompt', async () => {
    expect(await after(prompt(), DENY, { session: { open: true, prompted: true } })).toBe(0)
    expect(await after(prompt(), DENY, { session: { open: false, prompted: true } })).toBe(1)
    // Its first prompt made it, and that is the one.
    expect(await after(prompt(), DENY, { session: { open: true, prompted: false } })).toBe(1)
  })
})
