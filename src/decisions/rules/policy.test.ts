import { describe, expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { type HookEvent, NO_VERDICT, UNREADABLE } from '../../events/index.ts'
import { evaluate, inOrder, Policy, parseRules } from './index.ts'

const bash = (command: string, extra: Partial<HookEvent> = {}): HookEvent => ({
  ...base,
  type: 'PreToolUse',
  tool: { name: 'Bash', input: { command, timeout: 5 } },
  ...extra,
})

const base: HookEvent = {
  id: 'e1',
  seq: 1,
  at: 0,
  receivedAt: 0,
  agent: 'claude',
  type: 'Stop',
  native: 'Stop',
  sessionId: 's1',
  client: { env: {} },
  transport: 'socket',
  raw: '{}',
}

const rulesOf = async (yaml: string) => inOrder(await parseRules(yaml, 'rules.yaml'))

test('a command given as its words is judged as one line, too', async () => {
  const words = (...command: string[]) => ({ ...bash(''), tool: { name: 'Bash', input: { command, n: 1 } } })
  for (const path of ['tool.input.command', 'tool.input']) {
    const rules = await rulesOf(
      `rules: [{ id: a, on: PreToolUse, match: { ${path}: 'rm -rf /' }, decision: deny }]`,
    )
    expect(evaluate(rules, words('rm', '-rf', '/')).decision).toBe('deny')
    expect(evaluate(rules, words('bash', '-lc', 'rm -rf /')).decision).toBe('deny')
    expect(evaluate(rules, words('rm', '-r', '/'))).toBe(NO_VERDICT)
  }
  const asJson = await rulesOf(
    `rules: [{ id: a, on: PreToolUse, match: { tool.input.command: '^\\["rm","-rf"' }, decision: deny }]`,
  )
  expect(evaluate(asJson, words('rm', '-rf', '/')).decision).toBe('deny')
})

describe('a rule', () => {
  test('speaks only on its event, agent, tool and patterns', async () => {
    const rules = await rulesOf(`
rules:
  - { id: a, on: PreToolUse, agent: claude, tool: Bash, match: { tool.input.command: '^rm ' }, decision: deny, reason: no }`)
    expect(evaluate(rules, bash('rm x'))).toEqual({ decision: 'deny', reason: 'no', by: 'a' })
    expect(evaluate(rules, bash('ls'))).toBe(NO_VERDICT)
    expect(evaluate(rules, bash('rm x', { agent: 'codex' }))).toBe(NO_VERDICT)
    expect(evaluate(rules, bash('rm x', { type: 'PostToolUse' }))).toBe(NO_VERDICT)
    expect(evaluate(rules, bash('rm x', { tool: { name: 'Write', input: { command: 'rm x' } } }))).toBe(
      NO_VERDICT,
    )
  })

  test('takes a pattern for the tool, and reads what is not there as empty', async () => {
    const rules = await rulesOf(`
rules:
  - { id: a, on: '*', tool: '/^mcp__/', decision: ask }
  - { id: b, on: Stop, match: { tool.input.command: '^$', constructor.name: '^$' }, context: hi }`)
    expect(evaluate(rules, bash('x', { tool: { name: 'mcp__db__query', input: {} } })).decision).toBe('ask')
    expect(evaluate(rules, base)).toEqual({ decision: 'none', context: ['hi'] })
  })
})

describe('what cannot be judged whole', () => {
  const noRm = (extra = '') =>
    rulesOf(
      `rules: [{ id: no-rm, on: PreToolUse, tool: Bash, match: { tool.input.command: 'rm -rf /' }, decision: deny, reason: no${extra} }]`,
    )
  const { tool: _, ...cut } = bash('')
  const partial: HookEvent = {
    ...cut,
    cutFrom: 9_000_000,
    partial: true,
    tool: { name: 'Bash', input: undefined },
  }

  test('is less than people think: a rule sees the end of megabytes', async () => {
    const rules = await noRm()
    for (const length of [65_600, 1_000_000, 7_900_000])
      expect(evaluate(rules, bash(`: ${'x'.repeat(length)}; rm -rf /`)).decision).toBe('deny')
  })

  test('is what many rules would have to read again and again: megabytes that each of them rewrites', async () => {
    const rewrite = (n: number) =>
      `{ id: r${n}, on: PreToolUse, match: { tool.input: xx }, input: { n: ${n} } }`
    const guard = `{ id: guard, on: PreToolUse, match: { tool.input: 'rm -rf /' }, decision: deny }`
    const rules = await rulesOf(
      `rules: [${[...Array.from({ length: 50 }, (_, n) => rewrite(n)), guard].join(', ')}]`,
    )
    const stringify = spyOn(JSON, 'stringify')
    const long = evaluate(rules, bash('x'.repeat(7_900_000)))
    expect(stringify.mock.calls.length).toBeLessThanOrEqual(3)
    stringify.mockRestore()
    expect(long).toMatchObject({ decision: 'ask', by: 'guard' })
    const short = evaluate(rules, bash(`${'x'.repeat(1_000)}; rm -rf /`))
    expect(short).toMatchObject({ decision: 'deny', by: 'guard', input: { n: 49 } })
  })

  test('is asked about, unless the rule says otherwise', async () => {
    const asked = evaluate(await noRm(), partial)
    expect(asked).toMatchObject({ decision: 'ask', by: 'no-rm' })
    expect(asked.reason).toBe(
      'gantry could not tell whether rule "no-rm" applies: its payload could not be read whole. The rule says: no',
    )
    expect(evaluate(await noRm(', onUnknown: deny'), partial).decision).toBe('deny')
    expect(evaluate(await noRm(', onUnknown: pass'), partial)).toBe(NO_VERDICT)
  })

  test('is none of the business of a rule that it cannot be about', async () => {
    const rules = await noRm()
    expect(evaluate(rules, { ...partial, tool: { name: 'Write', input: undefined } })).toBe(NO_VERDICT)
    expect(evaluate(rules, { ...partial, type: 'Stop' })).toBe(NO_VERDICT)
    expect(evaluate(rules, cut)).toBe(NO_VERDICT) // whole, and without a tool
    expect(evaluate(rules, { ...cut, partial: true }).decision).toBe('ask') // which tool, nobody knows
    const elsewhere = await rulesOf(
      "rules: [{ id: a, on: '*', match: { cwd: '^/prod', tool.input.command: rm }, decision: deny }]",
    )
    expect(evaluate(elsewhere, { ...partial, cwd: '/home' })).toBe(NO_VERDICT)
    expect(evaluate(elsewhere, { ...partial, cwd: '/prod/x' }).decision).toBe('ask')
  })

  test('is an event that nothing names, for every rule that could be about it', async () => {
    const nameless: HookEvent = { ...partial, type: UNREADABLE, native: '' }
    expect(evaluate(await noRm(), nameless)).toMatchObject({ decision: 'ask', by: 'no-rm' })
    expect(evaluate(await noRm(', agent: codex'), nameless)).toBe(NO_VERDICT)
    const whole = { ...bash('rm -rf /'), type: UNREADABLE, native: '' }
    expect(evaluate(await noRm(), whole).reason).toContain('nothing says which event it is')
    expect(evaluate(await noRm(), { ...bash('ls'), type: UNREADABLE, native: '' })).toBe(NO_VERDICT)
  })

  test('leaves alone what only adds or allows', async () => {
    const rules = await rulesOf(`
rules:
  - { id: a, on: PreToolUse, match: { tool.input.command: x }, context: hi }
  - { id: b, on: PreToolUse, match: { tool.input.command: x }, decision: allow }
  - { id: c, on: PreToolUse, match: { tool.input.command: x }, input: { command: y } }
  - { id: d, on: PreToolUse, context: always }`)
    expect(evaluate(rules, partial)).toEqual({ decision: 'none', context: ['always'] })
  })

  test('gives way to a rule that can tell, and a doubtful deny to nothing else', async () => {
    const doubts = `
  - { id: asks, on: PreToolUse, match: { tool.input.command: x }, decision: deny }
  - { id: denies, on: PreToolUse, match: { tool.input.command: x }, decision: deny, onUnknown: deny }
  - { id: allows, on: PreToolUse, decision: allow, context: kept }`
    expect(evaluate(await rulesOf(`rules:${doubts}`), partial)).toMatchObject({
      decision: 'deny',
      by: 'denies',
      context: ['kept'],
    })
    const sure = `${doubts}\n  - { id: sure, on: PreToolUse, priority: 90, decision: ask, reason: certain }`
    expect(evaluate(await rulesOf(`rules:${sure}`), partial)).toMatchObject({ decision: 'ask', by: 'sure' })
  })

  test('includes a text that is too long for the pattern, whatever time others took', async () => {
    const hard =
      "{ id: hard, on: PreToolUse, match: { tool.input.command: '[ab]*a[ab]{400}[cd]' }, decision: deny }"
    const text = 'abbabaaabbbabaab'.repeat(60_000)
    expect(evaluate(await rulesOf(`rules: [${hard}]`), bash(text))).toMatchObject({
      decision: 'ask',
      reason:
        'gantry could not tell whether rule "hard" applies: tool.input.command is too long for its pattern.',
    })
  })
})

describe('many rules', () => {
  test('the first deny or ask by priority wins and ends it', async () => {
    const rules = await rulesOf(`
rules:
  - { id: late, on: PreToolUse, priority: 60, decision: deny, reason: late }
  - { id: first, on: PreToolUse, priority: 10, decision: allow }
  - { id: asks, on: PreToolUse, priority: 20, decision: ask, reason: sure? }
  - { id: never, on: PreToolUse, priority: 30, context: unheard }`)
    expect(evaluate(rules, bash('x'))).toEqual({ decision: 'ask', reason: 'sure?', by: 'asks' })
  })

  test('rewrites chain, keep the other fields, and later rules see the changed input', async () => {
    const rules = await rulesOf(`
rules:
  - { id: one, on: PreToolUse, match: { tool.input.command: '^a$' }, input: { command: b } }
  - { id: two, on: PreToolUse, match: { tool.input.command: '^b$' }, input: { command: c }, context: [x, y] }`)
    const event = bash('a')
    expect(evaluate(rules, event)).toEqual({
      decision: 'none',
      by: 'one',
      input: { command: 'c', timeout: 5 },
      context: ['x', 'y'],
    })
    expect(event.tool?.input).toEqual({ command: 'a', timeout: 5 })
  })

  test('a rewrite of an input that is no object is all that is left of it', async () => {
    const rules = await rulesOf('rules: [{ id: one, on: PreToolUse, input: { command: b } }]')
    for (const input of ['ls', null, 7]) {
      const event = { ...bash('a'), tool: { name: 'Bash', input } }
      expect(evaluate(rules, event).input).toEqual({ command: 'b' })
    }
    expect(evaluate(rules, { ...base, type: 'PreToolUse' }).input).toBeUndefined()
  })

  test('what they tell the person adds up, each on a line', async () => {
    const rules = await rulesOf(`
rules:
  - { id: one, on: PreToolUse, systemMessage: first }
  - { id: two, on: PreToolUse, context: x }
  - { id: three, on: PreToolUse, systemMessage: second }`)
    expect(evaluate(rules, bash('a'))).toStrictEqual({
      decision: 'none',
      context: ['x'],
      systemMessage: 'first\nsecond',
    })
  })

  test('the verdict does not depend on anything but rules and event', async () => {
    const decision = fc.constantFrom('none', 'allow', 'deny', 'ask')
    const rule = fc.record({
      priority: fc.integer({ min: 0, max: 3 }),
      decision,
      tool: fc.constantFrom('Bash', 'Write'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 8 }), async (list) => {
        const yaml = JSON.stringify({
          rules: list.map((one, i) => ({ id: `r${i}`, on: 'PreToolUse', ...one })),
        })
        const rules = await rulesOf(yaml)
        const verdict = evaluate(rules, bash('x'))
        const ranked = list
          .map((one, i) => ({ ...one, i }))
          .sort((a, b) => a.priority - b.priority || a.i - b.i)
        const heard = ranked.filter((one) => one.tool === 'Bash')
        const objection = heard.find((one) => one.decision === 'deny' || one.decision === 'ask')
        const last = heard.filter((one) => one.decision !== 'none').at(-1)
        expect(verdict.decision).toBe((objection ?? last)?.decision ?? 'none')
      }),
      { numRuns: 100 },
    )
  })
})

describe('a file of rules', () => {
  const problem = async (yaml: string) => {
    try {
      await parseRules(yaml, 'guards.yaml')
    } catch (error) {
      return (error as Error).message
    }
    return 'nothing wrong'
  }

  test('names file, line and key of a mistake', async () => {
    expect(await problem('rules:\n  - id: a\n    on: Stop\n    decsion: deny\n')).toContain(
      'guards.yaml:4: rules.0.decsion',
    )
    expect(await problem('rules:\n  - id: a\n    on: Stop\n    decision: maybe\n')).toContain(
      'guards.yaml:4: rules.0.decision',
    )
    expect(await problem('rules:\n  - id: a\n    on: Stop\n    match: { prompt: "(" }\n')).toContain(
      'guards.yaml:4:',
    )
    expect(await problem('rules:\n  - id: a\n   on: [\n')).toContain('not valid YAML')
    expect(await problem('rules:\n  - id: a\n    on: Stop\n    match: { prompt: "(a)\\\\1" }\n')).toContain(
      'guards.yaml:4: rules.0.match.prompt: "\\1" repeats what a group matched',
    )
    expect(await problem('rules:\n  - id: a\n    on: Stop\n    onUnknown: maybe\n')).toContain(
      'guards.yaml:4: rules.0.onUnknown',
    )
    expect(await problem('rules: 5')).toContain('guards.yaml:1: rules')
    expect(await problem('')).toBe('nothing wrong')
  })

  test('a billion laughs are refused', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]',
      'c: &c [*b,*b,*b,*b,*b,*b,*b,*b]',
    ].join('\n')
    expect(await problem(`${bomb}\nrules: *c`)).not.toBe('nothing wrong')
  })
})

describe('a block of a stop', () => {
  const rulesFor = (...said: string[]) =>
    rulesOf(`rules: [${said.map((one, i) => `{ id: r${i}, on: '*', then: { ${one}: x } }`).join(', ')}]`)

  test('outlasts every denial of it, which no agent can be told', async () => {
    const kept = { decision: 'block-stop', by: 'r0' }
    expect(evaluate(await rulesFor('block-stop', 'deny'), base)).toMatchObject(kept)
    expect(evaluate(await rulesFor('deny', 'block-stop'), base)).toMatchObject({ ...kept, by: 'r1' })
    expect(evaluate(await rulesFor('ask', 'block-stop'), base)).toMatchObject({ ...kept, by: 'r1' })
    const policy = new Policy(await rulesFor('block-stop'))
    policy.replaceProjects(new Map([['/repo', await rulesFor('deny')]]))
    expect(policy.decide({ ...base, cwd: '/repo' }, 0).verdict).toMatchObject(kept)
  })

  test('silences no denial of a call', async () => {
    const denied = { decision: 'deny', by: 'r1' }
    expect(evaluate(await rulesFor('block-stop', 'deny'), bash('ls'))).toMatchObject(denied)
    const policy = new Policy(await rulesFor('block-stop'))
    policy.replaceProjects(new Map([['/repo', await rulesFor('deny')]]))
    expect(policy.decide(bash('ls', { cwd: '/repo' }), 0).verdict.decision).toBe('deny')
  })
})

describe('a rule that blocks every stop', () => {
  const blocks = async (events: [HookEvent, number][]) => {
    const policy = new Policy(
      await rulesOf('rules: [{ id: go-on, on: Stop, decision: block-stop, reason: more }]'),
    )
    return events.map(([event, now]) => policy.decide(event, now))
  }
  const again = { ...base, stopHookActive: true }

  test('may do so three times in a row, then the loop is reported', async () => {
    const decided = await blocks([
      [base, 0],
      [again, 1],
      [again, 2],
      [again, 3],
    ])
    expect(decided.map(({ verdict }) => verdict.decision)).toEqual([
      'block-stop',
      'block-stop',
      'block-stop',
      'none',
    ])
    expect(decided[3]?.stopLoop).toBe('go-on')
  })

  test('may do so five times in half an hour, whatever the turn', async () => {
    const fresh = { ...base, stopHookActive: false }
    const minutes = [0, 1, 2, 3, 4, 5, 36]
    const decided = await blocks(minutes.map((at) => [fresh, at * 60_000]))
    expect(decided.map(({ verdict }) => verdict.decision === 'block-stop')).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      true,
    ])
  })

  test('sessions do not share their limit', async () => {
    const other = { ...again, sessionId: 's2' }
    const decided = await blocks([
      [again, 0],
      [again, 0],
      [again, 0],
      [other, 0],
      [again, 0],
    ])
    expect(decided.map(({ verdict }) => verdict.decision === 'block-stop')).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
  })
})
