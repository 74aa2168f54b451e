/** Daemons with a nats-server of their own, and what tests ask of both. */
import { readFileSync } from 'node:fs'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { sendFrame, until } from '../kit.ts'
import { countOf } from '../nats-kit.ts'

export const MANAGED = { GANTRY_NATS: 'managed', BD_NATS_PORT: '0' }

export const nats = async (at: Places) => (await call(at, 'bus.status')).nats
export const findings = async (at: Places) =>
  (await call(at, 'doctor')).filter(({ about }) => about === 'nats')
export const connected = (at: Places) =>
  until(async () => ((await nats(at))?.connected ? nats(at) : undefined), 'a connection', 20_000)
export const infoOf = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as { url: string; port: number; token: string }
export const serverOf = (at: Places) => {
  const { url, token } = infoOf(at.natsInfo)
  return { url, signIn: { token } }
}
export const say = (at: Places, session: string) =>
  sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'Stop', session_id: session }) })
export const holds = (at: Places, count: number) =>
  until(async () => (await countOf(serverOf(at), 'HOOK_EVENTS')) >= count, `${count} messages`, 20_000)
