/** Sources of shapes: the whole journal, what the daemon has learned, or recorded lines. */
import { call } from '../../client/index.ts'
import { GantryError, messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { linesOf } from '../../core/text/line-cutter.ts'
import { mergeShapes, reviveShape, SchemaWatch } from '../../insight/schema/index.ts'
import type { Shape } from '../../rpc/index.ts'
import { type Line, numberedLines } from '../framework/file-lines.ts'
import { progressOf } from '../framework/progress.ts'
import { note } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { startWorker, workerError } from '../framework/worker.ts'
import type { SchemaTask } from '../workers/schema.ts'

export interface Wanted {
  readonly agent?: string
  readonly event?: string
}

const MANY = 50_000 // events, above which a second process pays
const PROCESSES = 2

/** Reads every payload of the journal in separate processes, so the daemon's loop stays free. */
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
  const child = startWorker('schema-worker', task)
  let shapes: Shape[] | undefined
  for await (const line of linesOf(child.stdout)) {
    const message = JSON.parse(line) as { done: number; shapes?: Shape[] }
    tell(message.done)
    shapes = message.shapes
  }
  if ((await child.exited) === 0 && shapes) return shapes
  throw await workerError(child)
}

/** What the daemon has learned so far. */
export async function learnedShapes(places: Places, wanted: Wanted): Promise<Shape[]> {
  return (await call(places, 'schema.shapes', wanted)).map(reviveShape)
}

/**
 * Reads lines `{agent, version, event, payload}`, as `gantry record` writes them. The last line may be half written: it is
 * skipped with a note.
 */
export async function shapesOfFiles(files: readonly string[], wanted: Wanted): Promise<Shape[]> {
  const { recordedOf } = await import('../../insight/schema/source.ts')
  const watch = new SchemaWatch({ expected: () => undefined, recall: () => undefined })
  const progress = progressOf('lines')
  let count = 0
  for (const file of files) {
    let torn: GantryError | undefined
    for await (const { text, where } of readable(file)) {
      count += 1
      progress.at(count, count)
      if (torn) throw torn
      const read = parse(text, where)
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

/** Returns the error: whether it counts depends on the next line. */
function parse(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    return usageError(`${where} is not JSON: ${messageOf(cause)}`, { cause })
  }
}

async function* readable(file: string): AsyncGenerator<Line> {
  try {
    yield* numberedLines(file)
  } catch (cause) {
    throw usageError(`${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}
