/** One hook as an agent experiences it: process start to process end, or request to answer. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Result, round, spread, versus } from '../measure.ts'
import { GANTRY, HOOK, interleave, numbers, type Stage } from '../stage.ts'

const US_TO_MS = 1 / 1000
const LATER = 1_500 // by then the engine has compiled what a hook needs

/** The native client to a durable answer, against the same client and a C server that stores nothing. */
export async function hookNative(stage: Stage): Promise<Result[]> {
  const [real, bare] = [stage.home(), stage.home()]
  const daemon = await stage.daemon(real)
  const echo = await stage.echo(bare)
  const batch = Math.max(10, Math.round(50 * stage.effort))
  const hooks = (at: typeof real, count: number) => () =>
    numbers(
      [stage.program('spawn'), String(count), stage.payload, HOOK, 'claude', 'PreToolUse'],
      stage.env(at),
    )
  const script = nodeHook(stage)
  const node = () => numbers([stage.program('spawn'), '5', stage.payload, script], stage.env(real))
  const rounds = Math.max(3, Math.round(8 * stage.effort))
  const [ours = [], floor = [], nodes = []] = await interleave(
    rounds,
    ...[hooks(real, batch), hooks(bare, batch), node],
  )
  await hooks(real, Math.round(LATER * stage.effort))()
  const [later = [], laterFloor = []] = await interleave(rounds, hooks(real, batch), hooks(bare, batch))
  await daemon.stop()
  await echo.stop()
  const ms = (samples: number[]) => samples.map((us) => us * US_TO_MS)
  const against = 'the same client against an echo server in C'
  const native = versus('hook-native', 'ms', ms(ours), ms(floor), against)
  const slow = spread(ms(nodes))
  return [
    { ...native, timesFasterThanNode: round(slow.p50 / native.p50) },
    versus('hook-native-later', 'ms', ms(later), ms(laterFloor), `${against}, after ${LATER} more hooks`),
    {
      name: 'hook-node',
      unit: 'ms',
      ...slow,
      floor: native.p50,
      ratio: round(slow.p50 / native.p50),
      against: 'hook-native',
    },
  ]
}

/** The TypeScript client, against a Bun that starts and does nothing. */
export async function hookTs(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  const batch = String(Math.max(3, Math.round(10 * stage.effort)))
  const empty = join(stage.dir, 'empty.ts')
  writeFileSync(empty, '')
  const twin = () =>
    numbers(
      [stage.program('spawn'), batch, stage.payload, GANTRY, 'hook', 'claude', 'PreToolUse'],
      stage.env(at),
    )
  const bun = () =>
    numbers([stage.program('spawn'), batch, stage.payload, process.execPath, empty], stage.env(at))
  const [ours = [], floor = []] = await interleave(6, twin, bun)
  await daemon.stop()
  const ms = (samples: number[]) => samples.map((us) => us * US_TO_MS)
  return [versus('hook-ts', 'ms', ms(ours), ms(floor), 'Bun running an empty file')]
}

/** An HTTP hook on a kept-alive connection, against a Bun server that answers 204 and nothing else. */
export async function hookHttp(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
  const token = readFileSync(at.token, 'utf8').trim()
  const bare = Bun.spawn([process.execPath, '-e', BARE_SERVER], { stdout: 'pipe', stderr: 'inherit' })
  const bareUrl = new TextDecoder().decode((await bare.stdout.getReader().read()).value).trim()
  const body = readFileSync(stage.payload, 'utf8')
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const post = (to: string) => async () => {
    const samples: number[] = []
    for (let i = 0; i < 200 * stage.effort; i++) {
      const start = performance.now()
      const response = await fetch(to, { method: 'POST', headers, body })
      await response.arrayBuffer()
      if (response.status !== 204) throw new Error(`${to} answered ${response.status}`)
      samples.push(performance.now() - start)
    }
    return samples
  }
  await post(`${url}/hooks/claude`)() // warms both up before measuring
  await post(bareUrl)()
  const [ours = [], floor = []] = await interleave(5, post(`${url}/hooks/claude`), post(bareUrl))
  bare.kill()
  await daemon.stop()
  return [versus('hook-http', 'ms', ours, floor, 'a Bun server that stores nothing')]
}

const BARE_SERVER = `
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: async (r) => (await r.arrayBuffer(), new Response(null, { status: 204 })) })
console.log(server.url.href)`

/** What people wire today: a Node script that parses the payload and asks a local server. */
function nodeHook(stage: Stage): string {
  const script = join(stage.dir, 'hook-node.mjs')
  writeFileSync(
    script,
    `#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
const raw = readFileSync(0)
const event = JSON.parse(raw)
const header = { v: 1, kind: 'hook', agent: 'claude', event: event.hook_event_name, id: 'node-' + process.pid + '-' + Date.now(), at: Date.now(), pid: process.pid, ppid: process.ppid, env: {}, len: raw.length }
const socket = connect(process.env.GANTRY_HOME + '/run/gantry.sock')
socket.end(JSON.stringify(header) + '\\n' + raw)
socket.on('data', () => process.exit(0))
`,
    { mode: 0o755 },
  )
  return script
}
