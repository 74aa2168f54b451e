/** The receiver in docs/webhooks.md, run as it stands there. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { makeHome, ROOT, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { processes } from '../litter.ts'

const SECRET = 'a secret for the tests of webhooks'

function example(): string {
  const text = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8')
  const code = /<!-- run by test\/daemon\/webhook-docs\.test\.ts -->\n```ts\n([\s\S]+?)```/.exec(text)?.[1]
  if (!code) throw new Error('the page has no example')
  return code
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('the receiver in the docs takes what is genuine and nothing else', async () => {
  const file = join(tempDir(), 'receiver.ts')
  writeFileSync(file, example())
  const port = await freePort()
  const child = Bun.spawn([process.execPath, file], {
    env: { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: SECRET, PORT: String(port) },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  processes.add(child)
  const url = `http://127.0.0.1:${port}/`
  await until(
    () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        ({ status }) => status === 401,
        () => false,
      ),
    'the receiver',
  )

  const table = (name: string, secret: string) =>
    `\n[[webhooks]]\nname = "${name}"\nurl = "${url}"\nsecret = "${secret}"\n`
  const at = makeHome(table('good', SECRET) + table('bad', 'not that secret'))
  await using _daemon = await startDaemon(at)
  await sendFrame(at, { payload: '{"hook_event_name":"Stop","session_id":"s1"}' })
  const ask = () => call(at, 'bus.webhooks')
  const status = await until(async () => {
    const [good, bad] = await ask()
    return (good?.delivered ?? 0) + (bad?.dead ?? 0) === 2 && [good, bad]
  }, 'both answers')
  expect(status).toMatchObject([
    { name: 'good', delivered: 1, rejected: 0, lastStatus: 200 },
    { name: 'bad', delivered: 0, rejected: 1, lastStatus: 401, dead: 1 },
  ])

  child.kill('SIGTERM')
  expect(await new Response(child.stdout).text()).toBe('Stop s1\n')
  await child.exited
  processes.delete(child)
})
