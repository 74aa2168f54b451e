import { describe, expect, test } from 'bun:test'
import { until } from '../../test/kit.ts'
import { type EventSink, eventStream } from './sse.ts'

/** A stream whose subscription the test drives, and its reader. */
function streamOf(keepAliveMs?: number) {
  const log: string[] = []
  let sink: EventSink | undefined
  const response = eventStream((own) => {
    sink = own
    return { resume: () => log.push('resume'), close: () => log.push('close') }
  }, keepAliveMs)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const send = (text: string) => (sink as EventSink).send(Buffer.from(text))
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString()
  return { log, send, read, reader, sink: sink as EventSink }
}

describe('an event stream', () => {
  test('starts with a comment, then carries what is sent', async () => {
    const { send, read } = streamOf()
    send('data: 1\n\n')
    expect(await read()).toBe(': still here\n\n')
    expect(await read()).toBe('data: 1\n\n')
  })

  test('sends a comment when nothing happens', async () => {
    const { read, reader } = streamOf(10)
    for (let i = 0; i < 3; i++) expect(await read()).toBe(': still here\n\n')
    await reader.cancel()
  })

  test('buffers no comments for a reader that does not read', async () => {
    const { send, read, reader, sink } = streamOf(5)
    send('x'.repeat(100_000))
    await Bun.sleep(60)
    sink.fail(new Error('enough'))
    const got: string[] = []
    for (let text = await read(); text !== ''; text = await read()) got.push(text)
    expect(got.filter((text) => text.startsWith(':'))).toHaveLength(1)
    await reader.cancel()
  })

  test('reports when the reader is full, and resumes when it is not', async () => {
    const { send, read, log, reader } = streamOf()
    expect(send('x'.repeat(1_000))).toBe(true)
    expect(send('x'.repeat(70_000))).toBe(false)
    const before = log.length
    for (let i = 0; i < 3; i++) await read()
    await until(() => log.length > before, 'a resume')
    expect(send('more')).toBe(true)
    await reader.cancel()
    expect(log.at(-1)).toBe('close')
  })

  test('ends when the subscription fails', async () => {
    const { reader, sink, read } = streamOf()
    await read()
    sink.fail(new Error('gone'))
    expect((await reader.read()).done).toBe(true)
  })

  test('that is refused is no stream', () => {
    const refuse = () =>
      eventStream(() => {
        throw new Error('no')
      })
    expect(refuse).toThrow('no')
  })
})
