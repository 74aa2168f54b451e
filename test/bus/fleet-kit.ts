/** Daemons as hosts of a fleet on one NATS, and what each of them sees of it. */
import { jetstream } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { managerOf, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY } from './bus-kit.ts'

export interface Host {
  readonly at: Places
  readonly daemon: RunningDaemon
  /** One hook of a session. */
  say(session: string, event: string, more?: object): Promise<unknown>
}

export async function host(server: TestServer, name: string, more = 'subjects = "scoped"'): Promise<Host> {
  const at = makeHome(`[nats]\nurl = "${server.url}"\nhost = "${name}"\n${more}\n${AGENTS_ONLY}`)
  const daemon = await startDaemon(at, { GANTRY_NATS: 'external' })
  const say = (session: string, event: string, fields = {}) =>
    sendFrame(at, {
      payload: JSON.stringify({ hook_event_name: event, session_id: session, cwd: '/', ...fields }),
    })
  return { at, daemon, say }
}

export const fleetOf = (at: Places) => call(at, 'fleet.sessions')
export const seen = async (at: Places, session: string) =>
  (await fleetOf(at)).sessions.find(({ id }) => id === session)
export const hostIn = async (at: Places, name: string) =>
  (await fleetOf(at)).hosts.find((one) => one.host === name)

export const bucketOf = async (server: TestServer, bucket: string) =>
  new Kvm(jetstream((await managerOf(server)).nc)).open(bucket)

/** The keys of a bucket; none where it is not there. */
export async function keysOf(server: TestServer, bucket: string): Promise<string[]> {
  try {
    const { jsm } = await managerOf(server)
    const { state } = await jsm.streams.info(`KV_${bucket}`, { subjects_filter: '>' })
    const keys = Object.keys(state.subjects ?? {}).map((subject) => subject.slice(`$KV.${bucket}.`.length))
    const kv = await bucketOf(server, bucket)
    const entries = await Promise.all(keys.map((key) => kv.get(key)))
    return keys.filter((_, n) => entries[n]?.operation === 'PUT').sort()
  } catch {
    return []
  }
}

/** A host counts as silent fifteen seconds after its last word; before that it is not asked for, which costs a lot. */
export async function silent(at: Places, name: string): Promise<void> {
  const heard = (await hostIn(at, name))?.heardAt ?? 0
  await Bun.sleep(Math.max(0, heard + 15_000 - Date.now()))
  await until(async () => (await hostIn(at, name))?.state === 'silent', `the silence of ${name}`, 40_000)
}
