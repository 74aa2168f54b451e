/** A journal of millions of events with its search index: bulk inserts through the store, no daemon. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Places, places } from '../../src/core/files/paths.ts'
import type { HookEvent } from '../../src/events/index.ts'
import { fillJournal, indexJournal, wordMaker } from '../journals.ts'
import type { Stage } from '../stage.ts'

export const RARE_TOOL = 'mcp__atlas__migrate'
export const RARE_TYPE = 'PermissionDenied'
export const RARE_AGENT = 'opencode'
const RARE_EVERY = 1_000_000 // events; a shorter journal has one of each
const WORDS = 30_000
const TEXTS = 40_000 // made once and used in turns: words cost more than rows
const SESSIONS = 4_000
const DAYS = 20
const TOOLS = ['Bash', 'Read', 'Edit', 'Grep', 'Bash', 'Write', 'Read', 'mcp__github__search'] as const
/** Another shape of the events: a kept journal of an older one is made anew. */
const SHAPE = 1

/** Only the journal is measured: nothing follows it but the search, and nothing is deleted. */
const CONFIG = `[http]
port = 0
[retention]
max_days = 400
max_mb = 40000
[schema]
enabled = false
[enrichment]
enabled = false
[summary]
mode = "off"
`

/**
 * A home with such a journal. With GANTRY_BENCH_KEEP=<folder> it is made there and used again by the next run: five
 * million events take some minutes and 6 GB.
 */
export function journalHome(stage: Stage, rows: number): Places {
  const keep = process.env.GANTRY_BENCH_KEEP
  const at = keep ? places({}, join(keep, `journal-${rows}`)) : stage.home()
  const home = at.home ?? ''
  const made = join(home, 'made.json')
  const shape = JSON.stringify({ rows, shape: SHAPE })
  if (existsSync(made) && readFileSync(made, 'utf8') === shape) return at
  rmSync(home, { recursive: true, force: true })
  for (const folder of [home, at.run, at.state, at.config])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(at.configFile, CONFIG)
  fill(at.database, rows)
  indexJournal(at)
  writeFileSync(made, shape)
  return at
}

function fill(database: string, rows: number): void {
  const words = wordMaker(WORDS)
  const texts = Array.from({ length: TEXTS }, () => words(40))
  const began = Date.now() - DAYS * 86_400_000
  const every = Math.min(RARE_EVERY, rows)
  const step = (DAYS * 86_400_000) / rows
  fillJournal(
    database,
    rows,
    (n) => eventAt(n, every, texts[(n * 7919) % TEXTS] ?? '', Math.round(began + n * step)),
    (store, done) => store.sessions.setMark(done), // sessions are not measured here
  )
}

/** Turns of a prompt, seven calls with their results, and an answer, of eight sessions at a time. */
function eventAt(n: number, every: number, text: string, at: number): HookEvent {
  const session_id = `session-${Math.floor(n / 8_000) % SESSIONS}-${n % 8}`
  const turn = Math.floor(n / 8) % 16
  const call = Math.floor((turn - 1) / 2)
  const isRare = n % every === every / 2 + 7
  const tool = isRare ? RARE_TOOL : (TOOLS[call % TOOLS.length] ?? 'Bash')
  const input = { command: text, description: 'a step of the work' }
  const common = { session_id, cwd: '/home/dev/acme', permission_mode: 'default' }
  const [type, fields]: [string, object] =
    turn === 0
      ? ['UserPromptSubmit', { prompt: text }]
      : turn === 15
        ? ['Stop', { last_assistant_message: text }]
        : turn % 2 === 1
          ? ['PreToolUse', { tool_name: tool, tool_use_id: `t${n}`, tool_input: input }]
          : [
              isRare ? RARE_TYPE : 'PostToolUse',
              {
                tool_name: tool,
                tool_use_id: `t${n - 8}`,
                tool_input: input,
                tool_response: { stdout: text },
              },
            ]
  const raw = JSON.stringify({ ...common, hook_event_name: type, ...fields })
  return {
    id: `bench-${String(n).padStart(12, '0')}`,
    ...{ seq: 0, at, receivedAt: at, type, native: type, sessionId: session_id, raw },
    agent: n % every === every / 4 ? RARE_AGENT : 'claude',
    ...('tool_name' in fields ? { tool: { name: tool, input } } : {}),
    cwd: '/home/dev/acme',
    client: { env: {} },
    transport: 'socket',
  }
}
