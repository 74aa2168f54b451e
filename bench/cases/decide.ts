/**
 * The cost of rules: 200 with patterns on a command, on a command of 64 KB, and with patterns designed to be slow; and 200 by
 * effect with all guards, parsing included.
 */
import { GUARDS } from '../../src/decisions/guards/index.ts'
import { Guards } from '../../src/decisions/guards/service.ts'
import { Policy, parseRules } from '../../src/decisions/rules/index.ts'
import { worldOf } from '../../src/decisions/rules/world.ts'
import { ToolCalls } from '../../src/decisions/tool-calls.ts'
import { eventOf } from '../../test/kit.ts'
import { type Result, versus } from '../measure.ts'
import type { Stage } from '../stage.ts'

const RULES = 200
const WORDS =
  'git push rm curl wget docker kubectl npm publish psql drop dd mkfs chmod sudo ssh terraform aws helm'.split(
    ' ',
  )

/** Typical patterns; every eighth has no literal to search for first. */
const SHAPES: readonly ((a: string, b: string, n: number) => string)[] = [
  (a, b) => `^${a} .*--${b}`,
  (a, b) => `\\b${a}\\s+(-[a-z]+\\s+)*${b}\\b`,
  (a) => `(^|[;&|]\\s*)${a}\\s+-[a-zA-Z]*r[a-zA-Z]*f`,
  (a, b) => `${a}.*${b}.*=.*`,
  (a) => `[A-Z_]+=\\S+ ${a}`,
  (_, __, n) => `\\.(pem|key|env)${n}`,
  (a, b) => `${a} .*${b}(?!-with-lease)`,
  () => '[A-Z]{3,}[0-9]+[a-z]*[^a-z0-9 ]',
]
const SLOW = [
  '.*.*.*[=].*[:]',
  '(a+)+[!?]$',
  '[ab]*a[ab]{20}[cd]',
  '[ab]*a[ab]{900}[cd]',
  '(?:a?){300}a{300}[cd]',
]

const COMMANDS = [
  'git push origin main',
  'npm test -- src/store',
  'ls -la && cat README.md | head -20',
  'docker run --rm -v $PWD:/w img make all',
  'grep -rn "foo" src | sort | uniq -c',
  'find . -name "*.ts" -exec sed -i s/a/b/ {} +',
  'NODE_ENV=test npm run build',
]

export async function decide(stage: Stage): Promise<Result[]> {
  const patterns = Array.from({ length: RULES }, (_, n) => shapeOf(n))
  const guarded = await policyOf(patterns)
  const idle = await policyOf(patterns, 'Write')
  const slow = await Promise.all(SLOW.map((pattern) => policyOf([pattern])))
  const rounds = Math.max(200, Math.round(20_000 * stage.effort))
  const command = (n: number) => `${COMMANDS[n % COMMANDS.length]} ${n}`
  const long = (n: number) => `${command(n)} `.repeat(2_600).slice(0, 65_536)
  const hard = 'abbabaaabbbabaab'.repeat(4_096)
  const floor = times(idle, rounds, command)
  const few = Math.max(20, rounds / 200)
  const words = 'the same rules, about another tool'
  return [
    versus('decide-200-rules', 'ms', times(guarded, rounds, command), floor, words),
    versus('decide-200-effects-and-guards', 'ms', await effectTimes(rounds), floor, words),
    versus('decide-200-rules-64k', 'ms', times(guarded, few, long), floor, words),
    versus(
      'decide-slow-pattern-64k',
      'ms',
      slow.flatMap((policy) => times(policy, few, () => hard)),
      floor,
      words,
    ),
  ]
}

/** Every kind of condition. */
const CONDITIONS: readonly ((a: string, b: string, n: number) => object)[] = [
  (program, subcommand) => ({ program, subcommand, flags: ['-f', '--force'] }),
  (program, _, n) => ({ program, args: [`+*`, `x${n}*`] }),
  (_, __, n) => ({ writes: [`~/.config/app${n}/**`, `/srv/${n}/*`] }),
  () => ({ deletes: { outside: 'worktree' } }),
  (_, __, n) => ({ network: { host: [`*.internal${n}.example`] }, not: { subagent: true } }),
  (_, __, n) => ({ reads: `secret${n}.*` }),
  (a, b) => ({ any: [{ program: `${a}*` }, { program: b, redirects: '>' }], secret: true }),
  (program) => ({ program, time: '00:00-23:59', weekday: ['mon', 'sun'] }),
]

/** Commands of the guards' own examples, each new: nothing is known from the time before. */
async function effectTimes(rounds: number): Promise<number[]> {
  const calls = new ToolCalls({ home: '/home/user', rootOf: () => '/home/user/project' })
  const word = (i: number) => WORDS[i % WORDS.length] ?? ''
  const rules = Array.from({ length: RULES }, (_, n) => ({
    ...{ id: `r${n}`, on: 'PreToolUse', decision: 'allow' },
    when: CONDITIONS[n % CONDITIONS.length]?.(word(n * 7), word(n * 3 + 1), n),
  }))
  const text = JSON.stringify({ rules })
  const policy = new Policy(await parseRules(text, 'bench.yaml'), worldOf({ calls }))
  const settings = { preset: 'strict', one_strike: false, modes: {} } as const
  const places = { config: '/home/user/.config/gantry', state: '/home/user/.gantry', run: '/run/gantry' }
  const guards = new Guards({
    settings: () => settings,
    ...{ places, home: '/home/user', calls },
    count: () => {},
    log: { info: () => {} },
  })
  const commands = [
    ...COMMANDS,
    ...GUARDS.flatMap(({ examples }) => [...examples.match, ...examples.noMatch]),
  ]
  const taken: number[] = []
  for (let n = -commands.length; n < rounds; n++) {
    const command = `${commands[(n + commands.length) % commands.length]} ${n}`
    const event = eventOf({
      type: 'PreToolUse',
      cwd: '/home/user/project',
      tool: { name: 'Bash', input: { command } },
    })
    const began = performance.now()
    policy.decide(event, began)
    guards.decide(event)
    if (n >= 0) taken.push(performance.now() - began) // each command was seen once before: a daemon has its code compiled
  }
  return taken
}

function shapeOf(n: number): string {
  const word = (i: number) => WORDS[i % WORDS.length] ?? ''
  return SHAPES[n % SHAPES.length]?.(word(n * 7), word(n * 3 + 1), n) ?? ''
}

async function policyOf(patterns: readonly string[], tool = 'Bash'): Promise<Policy> {
  const rules = patterns.map((pattern, n) => ({
    ...{ id: `r${n}`, on: 'PreToolUse', tool, decision: 'allow' },
    match: { 'tool.input.command': pattern },
  }))
  return new Policy(await parseRules(JSON.stringify({ rules }), 'bench.yaml'))
}

/** `allow` is not final, so every rule is evaluated. */
function times(policy: Policy, rounds: number, command: (n: number) => string): number[] {
  const taken: number[] = []
  for (let n = 0; n < rounds; n++) {
    const event = eventOf({ type: 'PreToolUse', tool: { name: 'Bash', input: { command: command(n) } } })
    const began = performance.now()
    policy.decide(event, began)
    taken.push(performance.now() - began)
  }
  return taken
}
