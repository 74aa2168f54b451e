import { afterAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { endlessly, openRawServer, openReceiver } from '../../../test/receiver.ts'
import { channelOf } from '../testkit.ts'
import type { Notification } from './channel.ts'
import { send } from './index.ts'

const message: Notification = {
  id: 'claude:s1|1|permission|5|c1',
  title: 'brave-otter needs a permission',
  body: 'Permission for <!channel> & "x"\ngantry · main',
  reason: 'permission',
  urgent: true,
  session: { name: 'brave-otter', agent: 'claude', project: 'gantry' },
  target: {},
  at: Date.now(),
}

const receiver = openReceiver()
afterAll(() => receiver.stop())
const last = () => receiver.got.at(-1) as (typeof receiver.got)[number]
const base = receiver.url.replace('/in', '')

describe('the form of', () => {
  test('ntfy is JSON with topic, title, priority and a bearer token', async () => {
    const channel = channelOf({ kind: 'ntfy', topic: 'mine', url: () => base, token: () => 'tk_1' })
    expect(await send(channel, message)).toEqual({ ok: true, detail: 'HTTP 200: ok' })
    expect(last().body as unknown).toEqual({
      topic: 'mine',
      title: message.title,
      message: message.body,
      priority: 4,
      tags: ['permission'],
    })
    expect(last().headers.get('authorization')).toBe('Bearer tk_1')
  })

  test('Slack is a text in which nothing is markup or a mention', async () => {
    await send(channelOf({ kind: 'slack', url: () => receiver.url }), message)
    const { text } = last().body as unknown as { text: string }
    expect(text).toStartWith('brave-otter needs a permission\n')
    expect(text).toContain('&lt;!channel&gt; &amp;')
    expect(text).not.toContain('<')
  })

  test('Telegram is plain text to a chat, with the token in the address only', async () => {
    const paths: string[] = []
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        paths.push(new URL(request.url).pathname)
        return Response.json({ ok: true, echo: await request.json() })
      },
    })
    const url = `http://127.0.0.1:${server.port}/`
    const channel = channelOf({ kind: 'telegram', chatId: '42', url: () => url, token: () => '7:secret' })
    const sent = await send(channel, message)
    await server.stop(true)
    expect(paths).toEqual(['/bot7:secret/sendMessage'])
    expect(sent.ok).toBe(true)
    expect(sent.detail).toContain('"chat_id":"42"')
    expect(sent.detail).not.toContain('parse_mode')
  })

  test('a webhook says what it is about, and is signed', async () => {
    await send(channelOf({ url: () => receiver.url, token: () => 'a secret' }), message)
    expect(last().body as unknown).toMatchObject({ reason: 'permission', session: { name: 'brave-otter' } })
    const time = last().headers.get('gantry-timestamp')
    const hex = createHmac('sha256', 'a secret').update(`${time}.${last().text}`).digest('hex')
    expect(last().headers.get('gantry-signature')).toBe(`v1=${hex}`)
  })
})

describe('a request', () => {
  test('uses plain http only to this machine, whatever a file says', async () => {
    const sent = await send(channelOf({ url: () => 'http://192.0.2.1/x' }), message)
    expect(sent).toEqual({ ok: false, detail: 'plain http goes to this machine only; use https' })
  })

  test('that is never answered ends at its deadline', async () => {
    const server = await openRawServer(() => {})
    const sent = await send(channelOf({ url: () => server.url, timeoutMs: 200 }), message)
    server.stop()
    expect(sent).toEqual({ ok: false, detail: 'no answer within 0.2 s', again: true })
  })

  test('with an endless answer ends, too', async () => {
    const server = await openRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n')
      endlessly(socket, 'x'.repeat(1000))
    })
    const sent = await send(channelOf({ url: () => server.url, timeoutMs: 2_000 }), message)
    server.stop()
    expect(sent.ok).toBe(true)
    expect(sent.detail.length).toBeLessThan(200)
  })

  test('does not follow a redirect', async () => {
    const trap = openReceiver()
    const server = openReceiver(() => new Response('', { status: 302, headers: { location: trap.url } }))
    const sent = await send(channelOf({ url: () => server.url }), message)
    expect(sent).toMatchObject({ ok: false, detail: 'HTTP 302' })
    expect(trap.got).toEqual([])
    await Promise.all([trap.stop(), server.stop()])
  })

  test('that was rejected says why, without secrets and control characters, and is not retried', async () => {
    const server = openReceiver(() => new Response('\u001b[31mno: tk_secret', { status: 403 }))
    const channel = channelOf({ kind: 'ntfy', topic: 't', url: () => server.url, token: () => 'tk_secret' })
    expect(await send(channel, message)).toEqual({ ok: false, detail: 'HTTP 403: no: ***' })
    await server.stop()
  })

  test('that was refused or rate-limited may be retried', async () => {
    const busy = openReceiver(() => new Response('later', { status: 429 }))
    expect(await send(channelOf({ url: () => busy.url }), message)).toMatchObject({ ok: false, again: true })
    await busy.stop()
    expect(await send(channelOf({ url: () => busy.url }), message)).toMatchObject({ ok: false, again: true })
  })

  test('with an unreadable secret is not sent', async () => {
    const before = receiver.got.length
    const token = () => {
      throw new Error('the secret is empty')
    }
    const sent = await send(channelOf({ url: () => receiver.url, token }), message)
    expect(sent).toEqual({ ok: false, detail: 'the secret is empty' })
    expect(receiver.got.length).toBe(before)
  })
})
