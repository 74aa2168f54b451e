/**
 * The cost of a warm handler over a rule, on the daemon's socket from frame to answer; the cost of a spinning handler for
 * the next events; and the round trip alone, to a process and to a thread.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { frame } from '../../test/kit.ts'
import { median, type Result, round, spread, versus } from '../measure.ts'
import { interleave, type Stage } from '../stage.ts'

const RULE = `rules:
  - { id: no-rm, on: PreToolUse, tool: Bash, match: { tool.input.command: '^rm ' }, decision: deny, reason: 'Not that.' }
`
const HANDLER = `import { deny, handler, pass } from 'gantry/sdk'
export default handler({ on: 'PreToolUse', tool: 'Bash' }, ({ tool }) => {
  const command = String(tool.input.command)
  if (command === 'spin') for (;;) {}
  return command.startsWith('rm ') ? deny('Not that.') : pass()
})
`
const LIMIT_MS = 1_000 // of a handler that says nothing else
const ECHO = `if (process.send) process.on('message', (message) => process.send(message))
else self.onmessage = ({ data }) => postMessage(data)
`

export async function handler(stage: Stage): Promise<Result[]> {
  const [ruled, warm] = [stage.home(), stage.home()]
  mkdirSync(ruled.rules, { recursive: true, mode: 0o700 })
  writeFileSync(join(ruled.rules, 'no-rm.yaml'), RULE)
  mkdirSync(warm.handlers, { recursive: true, mode: 0o700 })
  writeFileSync(join(warm.handlers, 'no-rm.ts'), HANDLER, { mode: 0o600 })
  const daemons = [await stage.daemon(ruled), await stage.daemon(warm)]
  const asks = await Promise.all([ruled, warm].map(client))
  const [rule, ours] = asks
  if (!rule || !ours) throw new Error('no daemon')
  const batch = Math.max(20, Math.round(100 * stage.effort))
  const times = (ask: Ask, command: string) => async () => {
    const taken: number[] = []
    for (let n = 0; n < batch; n++) taken.push(await ask(command))
    return taken
  }
  const [rulePass = [], warmPass = [], ruleDeny = [], warmDeny = []] = await interleave(
    10,
    times(rule, 'ls'),
    times(ours, 'ls'),
    times(rule, 'rm x'),
    times(ours, 'rm x'),
  )
  const spins = await spinning(warm, Math.max(3, Math.round(10 * stage.effort)))
  for (const ask of asks) ask.close()
  for (const daemon of daemons) await daemon.stop()
  const added = (name: string, samples: number[], floor: number[], words: string) => ({
    ...versus(name, 'ms', samples, floor, words),
    addedMs: round(median(samples) - median(floor)),
  })
  return [
    added('handler-pass', warmPass, rulePass, 'a rule that does not match'),
    added('handler-deny', warmDeny, ruleDeny, 'a rule that denies'),
    versus(
      'handler-spin-late',
      'ms',
      spins.map(({ own }) => own - LIMIT_MS),
      [LIMIT_MS],
      'its limit; the figure is what its agent waits on top of it',
    ),
    {
      ...versus(
        'handler-spin-next',
        'ms',
        spins.map(({ next }) => next),
        warmPass,
        'the same with nothing spinning',
      ),
      after: spread(spins.map(({ after }) => after)),
    },
    ...(await channels(stage)),
  ]
}

/** An event of 0.7 KB there and back. It takes three times as long to a process that the kernel puts on another core. */
async function channels(stage: Stage): Promise<Result[]> {
  const file = join(stage.dir, 'echo.ts')
  writeFileSync(file, ECHO)
  let answered = () => {}
  const times = (send: (message: object) => unknown) => async () => {
    const taken: number[] = []
    for (let n = 0; n < Math.max(200, 1_000 * stage.effort); n++) {
      const began = performance.now()
      await new Promise<void>((resolve) => {
        answered = resolve
        send({ n, event: 'x'.repeat(700) })
      })
      taken.push((performance.now() - began) * 1_000)
    }
    return taken
  }
  const thread = new Worker(file)
  thread.onmessage = () => answered()
  const [json, advanced] = (['json', 'advanced'] as const).map((serialization) =>
    Bun.spawn([process.execPath, file], { serialization, ipc: () => answered() }),
  )
  const [floor = [], ours = [], other = []] = await interleave(
    10,
    times((message) => thread.postMessage(message)),
    times((message) => json?.send(message)),
    times((message) => advanced?.send(message)),
  )
  thread.terminate()
  json?.kill()
  advanced?.kill()
  const words = 'a thread, postMessage'
  return [
    versus('handler-channel', 'us', ours, floor, words),
    versus('handler-channel-advanced', 'us', other, floor, words),
  ]
}

/** Its own agent, one that asks in the middle of it, and one that asks when it is over. */
async function spinning(at: Places, rounds: number) {
  const found: { own: number; next: number; after: number }[] = []
  for (let n = 0; n < rounds; n++) {
    const [spins, other] = [await client(at), await client(at)]
    await Bun.sleep(LIMIT_MS) // the process that takes over is there
    const own = spins('spin')
    await Bun.sleep(LIMIT_MS / 2)
    const next = await other('ls')
    found.push({ own: await own, next, after: await other('ls') })
    await other('ls') // its circuit is closed again
    spins.close()
    other.close()
  }
  return found
}

interface Ask {
  (command: string): Promise<number>
  close(): void
}

/** One connection; the time from frame to answer, past the line that asks the client to wait. */
async function client(at: Places): Promise<Ask> {
  const socket = connect(at.socket)
  await new Promise((resolve) => socket.once('connect', resolve))
  let text = ''
  let answered = () => {}
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    const head = /(?:^|\n)(\d+) (\d+) (\d+)\n/.exec(text)
    if (!head || text.length < head.index + head[0].length + Number(head[2]) + Number(head[3])) return
    text = ''
    answered()
  })
  const send = (payload: object) => {
    const bytes = frame({ payload: JSON.stringify(payload), header: { hold: true } })
    return new Promise<number>((resolve) => {
      const began = performance.now()
      answered = () => resolve(performance.now() - began)
      socket.write(bytes)
    })
  }
  const ask = async (command: string) => {
    const call = {
      ...{ session_id: 'bench', cwd: '/', tool_name: 'Bash' },
      ...{ tool_use_id: newId(), tool_input: { command } },
    }
    const taken = await send({ ...call, hook_event_name: 'PreToolUse' })
    // As agents do; with calls that never end, the session would be larger than any agent's.
    if (!command.startsWith('rm ')) await send({ ...call, hook_event_name: 'PostToolUse', tool_response: {} })
    return taken
  }
  return Object.assign(ask, { close: () => socket.destroy() })
}
