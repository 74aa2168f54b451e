/** Imports logs of claude-hooks-sdk, recordings, and events of other journals. */
import { call, OWN_AGENT } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import { importedOf, type RecordedLine, readLine } from '../../replay/index.ts'
import type { Input } from '../framework/define.ts'
import { numberedLines, refuseMissing } from '../framework/file-lines.ts'
import { progressOf } from '../framework/progress.ts'
import { counted, dim, green, note, out } from '../framework/terminal.ts'
import type * as commands from './index.ts'

const BATCH = 200
const BATCH_CHARS = 2 * 1024 * 1024 // a call takes 8 MB

interface Told {
  added: number
  known: number
  leftOut: number
}

export async function run({ args, flags, places }: Input<typeof commands.importEvents>): Promise<number> {
  refuseMissing(args.file)
  const told: Told = { added: 0, known: 0, leftOut: 0 }
  const progress = progressOf('lines')
  let lines = 0
  let batch: RecordedLine[] = []
  let chars = 0
  const send = async () => {
    if (batch.length === 0) return
    const events = batch.map(importedOf)
    batch = []
    chars = 0
    const said = await call(places, 'events.import', { events })
    told.added += said.added
    told.known += said.known
  }
  try {
    for (const file of args.file) {
      for await (const { text, where } of numberedLines(file)) {
        lines += 1
        progress.at(lines, lines)
        const line = lineOf(text, where, told)
        if (!line) continue
        batch.push(line)
        chars += text.length
        if (batch.length >= BATCH || chars >= BATCH_CHARS) await send()
      }
    }
    await send()
  } finally {
    progress.end()
  }
  if (told.added + told.known === 0)
    throw new GantryError(
      'VALIDATION_ERROR',
      'Nothing was imported. docs/replay.md shows the lines it reads.',
    )
  if (flags.json) out(JSON.stringify(told))
  else out(wordsFor(told))
  return 0
}

function wordsFor({ added, known, leftOut }: Told): string {
  const rest = [
    known > 0 ? `${known} ${known === 1 ? 'was' : 'were'} in the journal already` : '',
    leftOut > 0 ? `${leftOut} left out` : '',
  ].filter(Boolean)
  const more = rest.length > 0 ? `; ${rest.join(', ')}` : ''
  return `${green('●')} imported ${counted(added, 'event')}${dim(more)}`
}

/** Names the first line that cannot be read, and counts the others. */
function lineOf(text: string, where: string, told: Told): RecordedLine | undefined {
  const read = readLine(text)
  const problem = 'problem' in read ? read.problem : read.line.agent === OWN_AGENT ? "it is gantry's own" : ''
  if ('line' in read && problem === '') return read.line
  if (told.leftOut === 0) note(`${where} was left out: ${problem}`)
  told.leftOut += 1
  return undefined
}
