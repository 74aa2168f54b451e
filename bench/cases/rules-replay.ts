/** A draft of 20 rules and all guards on a month of events, beside the daemon, against reading and parsing the journal. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RehearsalReport } from '../../src/client/index.ts'
import { readEvent } from '../../src/journal/index.ts'
import { openEventReader } from '../../src/store/index.ts'
import { fillJournal } from '../journals.ts'
import { type Result, round, spread } from '../measure.ts'
import { GANTRY, type Stage } from '../stage.ts'

const COMMANDS = [
  'git status --short',
  'npm test -- src/store/f%.test.ts 2>&1 | tail -20',
  'grep -rn "needle%" src | sort | uniq -c',
  'cd packages/p% && npm run build && git add -A',
  'rm -rf build/out%',
  'git push origin feature-%',
  'cat src/file%.ts | head -80',
  'for f in a% b c; do echo "$f"; done > list.txt',
  'python3 -c "print(%)"',
  'git commit -m "step %: mend the reader" --no-verify',
]
/** One turn: a prompt, calls with their results, the end. Half of the calls run commands. */
const TURN = ['UserPromptSubmit', ...Array(4).fill(['PreToolUse', 'PostToolUse']).flat(), 'Stop']
const OUTPUT = 'ok src/store/rows.test.ts (12 tests)\n'.repeat(30)
const PATTERNS = ['git push .*--force', 'rm -rf /', 'npm publish', '(^|[;&|]\\s*)sudo ', 'curl .*\\| *sh']

export async function rulesReplay(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const count = Math.max(50_000, Math.round(1_000_000 * stage.effort))
  const project = join(stage.dir, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  fill(at.database, count, project)
  const rules = Array.from({ length: 20 }, (_, n) => ({
    ...{ id: `r${n}`, on: 'PreToolUse', tool: 'Bash', decision: 'deny' },
    match: { 'tool.input.command': `${PATTERNS[n % PATTERNS.length]}${n < 5 ? '' : ` ${n}`}` },
  }))
  mkdirSync(at.rules, { recursive: true, mode: 0o700 })
  writeFileSync(join(at.rules, 'bench.yaml'), JSON.stringify({ rules }))
  const began = performance.now()
  const child = Bun.spawn([GANTRY, 'rules', 'replay', '--since', '400d', '--preset', 'standard', '--json'], {
    env: stage.env(at),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { judged } = (await new Response(child.stdout).json()) as RehearsalReport
  const tookMs = performance.now() - began
  await child.exited
  const cpuSeconds = round(Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6)
  const floor = floorMs(at.database)
  const seconds = round(tookMs / 1000)
  return [
    {
      ...{ name: 'rules-replay', unit: 's', ...spread([seconds]), n: count },
      ...{ floor: round(floor / 1000), ratio: round(tookMs / floor), rows: count, judged, cpuSeconds },
      against: 'reading all rows and parsing them',
    },
  ]
}

function floorMs(database: string): number {
  const reader = openEventReader(database)
  const began = performance.now()
  for (let after = 0; after < reader.lastSeq(); after += 10_000)
    for (const row of reader.oldest({ after, before: after + 10_001 }, 10_000)) readEvent(row)
  reader.close()
  return performance.now() - began
}

function fill(database: string, count: number, project: string): void {
  const start = Date.now() - count
  fillJournal(database, count, (n) => {
    const type = TURN[n % TURN.length] ?? ''
    const at = start + n
    return readEvent({
      ...{ id: `bench-${n}`, at, receivedAt: at, agent: 'claude', event: type },
      ...{ client: { env: {} }, transport: 'socket', raw: JSON.stringify(payloadOf(type, n, project)) },
    })
  })
}

function payloadOf(type: string, n: number, cwd: string): Record<string, unknown> {
  const common = { session_id: `s${Math.floor(n / TURN.length) % 200}`, cwd, hook_event_name: type }
  if (type === 'UserPromptSubmit') return { ...common, prompt: `do thing ${n}` }
  if (!type.endsWith('ToolUse')) return common
  const command = (COMMANDS[Math.floor(n / 4) % COMMANDS.length] ?? '').replaceAll('%', String(n))
  const call =
    n % 4 < 2
      ? { tool_name: 'Bash', tool_input: { command, description: 'Runs it' } }
      : {
          tool_name: 'Edit',
          tool_input: { file_path: `${cwd}/src/f${n}.ts`, old_string: 'a', new_string: OUTPUT },
        }
  return { ...common, ...call, ...(type === 'PostToolUse' ? { tool_response: { stdout: OUTPUT } } : {}) }
}
