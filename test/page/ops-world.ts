/** A daemon with something to show in rules, schema, bus and doctor: hits, drift, a dead letter, a consumer that lags. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { listen } from '../bus/bus-kit.ts'
import {
  type FixtureLine,
  fixtureLines,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { openReceiver, type Receiver } from '../receiver.ts'

/** Would be an element if anything made HTML of it. */
export const SCRIPT = '<img src=x onerror="window.broken=1">'

const RULES = `rules:
  - id: no-publish
    on: PreToolUse
    when: { program: npm, subcommand: publish }
    then: { deny: 'Releases are made by CI. ${SCRIPT}' }
  - id: never-asked
    on: PreToolUse
    tool: NoSuchTool
    then: { ask: 'Is that right?' }
`

export interface OpsWorld extends AsyncDisposable {
  readonly at: Places
  readonly daemon: RunningDaemon
  readonly receiver: Receiver
  /** From now on the webhook is taken. */
  mend(): void
  /** The id of the event that a rule denied. */
  readonly denied: string
}

export async function opsWorld(): Promise<OpsWorld> {
  let isMended = false
  const receiver = openReceiver(() => new Response('', { status: isMended ? 200 : 404 }))
  const hook = `[[webhooks]]\nname = "ci"\nurl = "${receiver.url}"\nsecret = "${'s'.repeat(32)}"\nfilter = ["SessionEnd"]\n`
  const at = makeHome(`[guards]\npreset = "standard"\n\n${hook}`)
  mkdirSync(at.rules, { recursive: true })
  writeFileSync(join(at.rules, 'mine.yaml'), RULES)
  const daemon = await startDaemon(at)
  const denied = newId()
  const bash = (id: string, command: string, tool = 'Bash') =>
    say(at, 'PreToolUse', { tool_name: tool, tool_use_id: id, tool_input: { command } }, id)
  await say(at, 'SessionStart', { source: 'startup' })
  await say(at, 'UserPromptSubmit', { prompt: 'release it' })
  await bash(denied, 'npm publish --access public')
  await bash(newId(), 'git push --force origin main')
  await bash(newId(), 'ls', `Evil${SCRIPT}`)
  const lines = fixtureLines('claude/2.1.325/_one-of-each.jsonl')
  const stop = lines.find(({ event }) => event === 'Stop') as FixtureLine
  const payload = JSON.stringify({ ...stop.payload, stop_hook_active: 'no', permission_mode: SCRIPT })
  await sendFrame(at, { agent: stop.agent, event: 'Stop', payload, header: { env: stop.env } })
  await listen(at, { durable: 'reports', deliver: 'all' })
  await say(at, 'SessionEnd', { reason: 'exit' })
  await until(async () => (await call(at, 'bus.deadLetters', {})).length === 1, 'a dead letter')
  return {
    ...{ at, daemon, receiver, denied },
    mend: () => {
      isMended = true
    },
    [Symbol.asyncDispose]: async () => {
      await daemon.kill('SIGKILL')
      await receiver.stop()
    },
  }
}

function say(at: Places, event: string, more: object, id = newId()) {
  const payload = { hook_event_name: event, session_id: 'ops', cwd: '/', ...more }
  return sendFrame(at, { id, event, payload: JSON.stringify(payload) })
}
