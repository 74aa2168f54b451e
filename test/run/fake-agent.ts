/**
 * An agent without a model, for a terminal: it calls the real hook client as Claude Code does, and does by key what a
 * person, a model or the system would bring about. Run as `claude` by the script that tests put on the PATH.
 */
import { randomUUID } from 'node:crypto'

const { FAKE_GANTRY: GANTRY = '', FAKE_HOOK: HOOK = '' } = process.env // of the kit, which takes long to load
const args = process.argv.slice(2)
const session = randomUUID()
const PAYLOAD = { task: 'Count the stars', nextSteps: ['Begin at the left'] }

function hook(event: string, fields: Record<string, unknown>): { said: string; refused: boolean } {
  const payload = { session_id: session, cwd: process.cwd(), hook_event_name: event, ...fields }
  const ran = Bun.spawnSync([HOOK, 'claude', event], {
    stdin: Buffer.from(JSON.stringify(payload)),
    env: { ...process.env, CLAUDE_PID: String(process.pid) },
  })
  return { said: ran.stdout.toString(), refused: ran.exitCode === 2 }
}

function say(text: string): void {
  process.stdout.write(`${text}\r\n`)
}

/** Asked of the system: Bun's own answer is the first one for ever. */
function saySize(): void {
  const asked = Bun.spawnSync(['stty', 'size'], { stdio: ['inherit', 'pipe', 'ignore'] })
  const [rows, columns] = asked.stdout.toString().trim().split(' ')
  say(`size ${columns}x${rows}`)
}

function leave(code: number): never {
  process.stdin.setRawMode?.(false)
  process.exit(code)
}

function dehydrate(): void {
  const ran = Bun.spawnSync([GANTRY, 'effort', 'dehydrate'], {
    stdin: Buffer.from(JSON.stringify(PAYLOAD)),
    env: process.env,
  })
  say(ran.success ? 'written down' : ran.stderr.toString())
}

const KEYS: Readonly<Record<string, () => void>> = {
  q: () => leave(0),
  x: () => leave(7),
  d: dehydrate,
  l: () => {
    dehydrate()
    leave(0)
  },
  c: () => {
    const { refused } = hook('PreCompact', { trigger: 'auto', custom_instructions: null })
    say(`compaction: ${refused ? 'no' : 'as it likes'}`)
  },
  n: () => say(Bun.spawnSync(['claude', '-p', '--dehydrates'], { env: process.env }).stdout.toString()),
  k: () => process.kill(process.pid, 'SIGKILL'),
  // As Claude does on Ctrl-Z: it is a key like any other to a terminal in raw mode.
  z: () => {
    process.stdin.setRawMode(false)
    process.kill(process.pid, 'SIGSTOP')
    setTimeout(() => {
      process.stdin.setRawMode(true)
      say('back again')
    }, 50)
  },
  // Not like this: as a TUI that has no time left to clean up.
  m: () => process.stdout.write('\u001b[?1049h\u001b[?1003h\u001b[?1006h\u001b[?2004h\u001b[?25l'),
}

process.on('SIGWINCH', saySize)
process.on('SIGINT', () => say('interrupted'))
process.on('SIGTERM', () => {
  if (args.includes('--stubborn')) return say('not yet')
  hook('SessionEnd', { reason: 'other' })
  say('goodbye')
  leave(143)
})
if (!args.includes('--cooked')) process.stdin.setRawMode?.(true)
process.stdin.on('data', (bytes) => {
  for (const key of bytes.toString()) KEYS[key]?.()
})
const { AGENT_ID = 'nobody', GANTRY_RUN_ID } = process.env
const known = hook('SessionStart', { source: 'startup' }).said
say(`hello ${JSON.stringify(args)} as ${AGENT_ID} ${GANTRY_RUN_ID ? 'in a run' : 'alone'}`)
saySize()
if (known.includes(PAYLOAD.task)) say(`knows: ${PAYLOAD.task}`)
if (args.includes('-p')) {
  const goesOn = known.includes(PAYLOAD.task)
  if (args.includes('--always') || (args.includes('--dehydrates') && !goesOn)) dehydrate()
  leave(goesOn && !args.includes('--always') ? 4 : 0)
}
