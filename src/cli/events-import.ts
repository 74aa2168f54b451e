/** Logs of claude-hooks-sdk, recordings and events of other journals, read into this one. */
import { existsSync } from 'node:fs'
import { call, OWN_AGENT } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { importedOf, type RecordedLine, readLine } from '../replay/index.ts'
import type { Command, Input } from './command.ts'
import { fileLines } from './file-lines.ts'
import { progressOf } from './progress.ts'
import { dim, green, note, out } from './terminal.ts'

const BATCH = 200
const BATCH_CHARS = 2 * 1024 * 1024 // a call takes 8 MB

interface Told {
  added: number
  known: number
  leftOut: number
}

export const eventsImport: Command = {
  name: 'events import',
  summary: 'Read logs of claude-hooks-sdk, or recordings, into the journal',
  usage: '<file>… [--json]',
  takes: Infinity,
  options: { json: { type: 'boolean', help: 'Print what was read as JSON' } },
  examples: [
    {
      line: 'gantry events import .claude/hooks/default/logs/events.jsonl',
      does: 'What claude-hooks-sdk logged, with its own times; a second time adds nothing',
    },
    { line: 'gantry events import - < other-host.jsonl', does: 'From stdin' },
  ],
  async run(input) {
    const files = filesOf(input)
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
      const said = await call(input.places, 'events.import', { events })
      told.added += said.added
      told.known += said.known
    }
    try {
      for (const file of files) {
        let number = 0
        for await (const text of fileLines(file)) {
          number += 1
          lines += 1
          progress.at(lines, lines)
          if (text.trim() === '') continue
          const line = lineOf(text, `${file}:${number}`, told)
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
    if (input.flags.json) out(JSON.stringify(told))
    else out(wordsFor(told))
    return 0
  },
}

function wordsFor({ added, known, leftOut }: Told): string {
  const rest = [
    known > 0 ? `${known} ${known === 1 ? 'was' : 'were'} in the journal already` : '',
    leftOut > 0 ? `${leftOut} left out` : '',
  ].filter(Boolean)
  const more = rest.length > 0 ? `; ${rest.join(', ')}` : ''
  return `${green('●')} imported ${added} ${added === 1 ? 'event' : 'events'}${dim(more)}`
}

/** The first line that cannot be read is named; the others are counted. */
function lineOf(text: string, where: string, told: Told): RecordedLine | undefined {
  const read = readLine(text)
  const problem = 'problem' in read ? read.problem : read.line.agent === OWN_AGENT ? "it is gantry's own" : ''
  if ('line' in read && problem === '') return read.line
  if (told.leftOut === 0) note(`${where} was left out: ${problem}`)
  told.leftOut += 1
  return undefined
}

function filesOf({ args }: Input): readonly string[] {
  if (args.length === 0) throw new GantryError('USAGE', 'Say which file. See: gantry events import --help')
  const missing = args.find((file) => file !== '-' && !existsSync(file))
  if (missing !== undefined) throw new GantryError('USAGE', `There is no file ${missing}.`)
  return args
}
