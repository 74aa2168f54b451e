/** Where the `schema` commands get shapes from: the whole journal, what the daemon has learned, or recorded lines. */
import { call } from '../client/index.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { selfCommand } from '../core/self.ts'
import { mergeShapes, reviveShape, SchemaWatch } from '../insight/schema/index.ts'
import type { Shape } from '../rpc/index.ts'
import { fileLines } from './file-lines.ts'
import { type Progress, progressOf } from './progress.ts'
import type { SchemaTask } from './schema-worker.ts'
import { note } from './terminal.ts'

export interface Wanted {
  readonly agent?: string
  readonly event?: string
}

const MANY = 50_000 // events, above which a second process pays
const PROCESSES = 2

/** Every payload in the journal, read beside the daemon in processes of their own: its loop is free meanwhile. */
export async function shapesOfJournal(places: Places, wanted: Wanted): Promise<Shape[]> {
  const { database, events, lastSeq } = await call(places, 'status')
  const parts = events > MANY ? PROCESSES : 1
  const first = lastSeq - events
  const edge = (i: number) => first + Math.round((events * i) / parts)
  const progress = progressOf('events')
  const done = new Array<number>(parts).fill(0)
  const work = done.map((_, i) =>
    learnPart({ database, after: edge(i), upTo: edge(i + 1), ...wanted }, (count) => {
      done[i] = count
      progress.at(
        done.reduce((sum, one) => sum + one, 0),
        events,
      )
    }),
  )
  try {
    return mergeShapes((await Promise.all(work)).flat().map(reviveShape))
  } finally {
    progress.end()
  }
}

async function learnPart(task: SchemaTask, tell: (done: number) => void): Promise<Shape[]> {
  const child = Bun.spawn([...selfCommand(), 'schema-worker'], {
    stdin: Buffer.from(JSON.stringify(task)),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let shapes: Shape[] | undefined
  for await (const line of linesOf(child.stdout)) {
    const message = JSON.parse(line) as { done: number; shapes?: Shape[] }
    tell(message.done)
    shapes = message.shapes
  }
  if ((await child.exited) === 0 && shapes) return shapes
  const problem = (await new Response(child.stderr).text()).split('\n')[0] || 'it ended'
  throw new GantryError(
    'DATABASE',
    `The journal could not be read (${problem}). Try again, or: gantry doctor`,
  )
}

/** What the daemon has learned so far, at once. */
export async function learnedShapes(places: Places, wanted: Wanted): Promise<Shape[]> {
  return (await call(places, 'schema.shapes', wanted)).map(reviveShape)
}

/**
 * Lines `{agent, version, event, payload}`, as `gantry record` writes them. Whoever writes may just be in the middle of the
 * last one: it is left out, and said.
 */
export async function shapesOfFiles(files: readonly string[], wanted: Wanted): Promise<Shape[]> {
  const { recordedOf } = await import('../insight/schema/source.ts')
  const watch = new SchemaWatch({ expected: () => undefined, recall: () => undefined })
  const progress: Progress = progressOf('lines')
  let count = 0
  for (const file of files) {
    let number = 0
    let torn: GantryError | undefined
    for await (const line of readableLines(file)) {
      number += 1
      count += 1
      progress.at(count, count)
      if (line.trim() === '') continue
      if (torn) throw torn
      const read = parse(line, `${file}:${number}`)
      if (read instanceof GantryError) {
        torn = read
        continue
      }
      const recorded = recordedOf(read)
      if (!recorded) continue
      const { kind, payload, at } = recorded
      if ((wanted.agent ?? kind.agent) !== kind.agent || (wanted.event ?? kind.event) !== kind.event) continue
      watch.see(kind, () => payload, at)
    }
    if (torn) note(`the last line was left out: ${torn.message}`)
  }
  progress.end()
  return watch.shapes()
}

/** The error is given, not thrown: it depends on what follows. */
function parse(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    return new GantryError('USAGE', `${where} is not JSON: ${messageOf(cause)}`, { cause })
  }
}

async function* readableLines(file: string): AsyncGenerator<string> {
  try {
    yield* fileLines(file)
  } catch (cause) {
    throw new GantryError('USAGE', `${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}
