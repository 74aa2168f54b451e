/** Other hosts of a fleet on the page's live connection. */
import { expect, test } from 'bun:test'
import type { FleetSession } from '../../src/client/index.ts'
import { host } from '../bus/fleet-kit.ts'
import { until } from '../kit.ts'
import { startServer } from '../nats-kit.ts'
import { live, originOf, signIn } from './page-kit.ts'

const LONG_MS = 90_000

interface Other {
  readonly host: string
  readonly state: string
  readonly heardAt?: number
  readonly sessions: readonly FleetSession[]
}

test(
  'are told with their sessions, and when one is gone; a quiet fleet says nothing',
  async () => {
    const server = await startServer()
    const alpha = await host(server, 'alpha')
    const beta = await host(server, 'beta')
    await beta.say('b1', 'UserPromptSubmit', { prompt: 'theirs' })
    await alpha.say('a1', 'UserPromptSubmit', { prompt: 'mine' })
    const { at } = alpha
    using page = live(at, { cookie: await signIn(at), origin: originOf(at) })
    const others = () => page.messages.flatMap(({ hosts }) => (hosts ? [hosts as readonly Other[]] : []))
    const last = () =>
      others()
        .at(-1)
        ?.find((one) => one.host === 'beta')
    await until(() => last()?.sessions.length === 1, 'the session of beta')
    expect(
      others()
        .at(-1)
        ?.map((one) => one.host),
    ).toEqual(['beta'])
    expect(last()).toMatchObject({
      state: 'here',
      sessions: [{ id: 'b1', host: 'beta', lastPrompt: 'theirs' }],
    })
    await beta.say('b1', 'Stop')
    await until(() => last()?.sessions[0]?.phase === 'idle', 'its change')
    const told = others().map((one) => JSON.stringify(one))
    expect(new Set(told).size).toBe(told.length)
    await beta.daemon.kill('SIGTERM')
    await until(() => last()?.state === 'stopped', 'its end')
    expect(last()?.heardAt).toBeGreaterThan(0)
    expect((await page.has('hello')).hello).toMatchObject({ host: 'alpha' })
    await alpha.daemon.kill('SIGTERM')
  },
  LONG_MS,
)
