/**
 * What a session changed in files, from the exact edits in the journal. Runs in a process beside the daemon: a session may
 * have gigabytes, of which one event at a time is in memory, and what is kept of them is bounded.
 */
import { relative } from 'node:path'
import { EDITING_TOOLS, type FileEdit, fileEdits } from '../../agents/index.ts'
import type { ChangedFile, ChangeEdit, SessionChanges } from '../../client/index.ts'
import { parseRow } from '../../journal/index.ts'
import type { ChangesTask } from '../../journal/query-process.ts'
import type { EventReader, Listed } from '../../store/index.ts'
import { after, diffOf, pieceHunks, type Text } from './apply.ts'
import { diskLook, diskState } from './disk.ts'

const MAX_EVENTS = 20_000
const READ_BYTES = 384 * 1024 * 1024 // of payloads: a few seconds
const SHOWN_BYTES = 24 * 1024 * 1024 // of payloads whose texts are in the answer
const MAX_SHOWN = 3_000
const MAX_FILES = 1_000
const MAX_TEXT_CHARS = 2 * 1024 * 1024 // of a file
const MAX_KEPT_CHARS = 128 * 1024 * 1024 // of all files
const MAX_PENDING = 500 // edits of a file whose text is not known
const COMPARE_MS = 5_000
const PIECE_CHARS = 32 * 1024
const PROMPT_CHARS = 4_000

interface Tracked {
  first: Text
  text: Text
  /** Since the text is not known; undefined if they cannot be looked for in a file. */
  pending: FileEdit[] | undefined
  edits: ChangeEdit[]
  lastSeq: number
}

export function changesOf(reader: EventReader, task: ChangesTask): SessionChanges {
  const { prompts, calls, cut } = eventsOf(reader, task)
  const shown = shownOf(calls)
  const collector = new Collector()
  const asked = [...prompts]
  let prompt: number | undefined
  for (const { seq } of calls) {
    while ((asked[0]?.seq ?? Number.POSITIVE_INFINITY) < seq) prompt = asked.shift()?.seq
    const row = reader.row(seq)
    if (!row) continue
    const event = parseRow(row)
    const about = {
      ...{ seq, at: event.at, tool: event.tool?.name ?? '' },
      ...(prompt === undefined ? {} : { promptSeq: prompt }),
      ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
    }
    for (const edit of fileEdits(event)) collector.take(edit, about, shown.has(seq))
  }
  const files = collector.files(task)
  const used = new Set(files.flatMap(({ edits }) => edits.map(({ promptSeq }) => promptSeq)))
  return {
    prompts: prompts.filter(({ seq }) => used.has(seq)),
    files,
    cut: cut || shown.size < calls.length || collector.isCut,
  }
}

/** The newest ones, oldest first. */
function eventsOf(reader: EventReader, { agent, id }: ChangesTask) {
  const ofSession = { agent, session: id }
  const listed = reader.listedPage(
    { ...ofSession, type: 'PostToolUse', tools: EDITING_TOOLS },
    'DESC',
    MAX_EVENTS,
  )
  const calls = newestWithin(listed, READ_BYTES).reverse()
  const prompts = reader
    .listedPage({ ...ofSession, type: 'UserPromptSubmit' }, 'DESC', MAX_EVENTS)
    .reverse()
    .flatMap(({ seq, bytes }) => {
      const row = bytes > READ_BYTES / MAX_EVENTS ? undefined : reader.row(seq)
      const event = row && parseRow(row)
      if (!event || event.promptInjected || event.agentId !== undefined) return []
      return [{ seq, at: event.at, text: (event.prompt ?? '').slice(0, PROMPT_CHARS) }]
    })
  return { prompts, calls, cut: calls.length < listed.length || listed.length === MAX_EVENTS }
}

function shownOf(calls: readonly Listed[]): Set<number> {
  const newest = newestWithin(calls.toReversed(), SHOWN_BYTES).slice(0, MAX_SHOWN)
  return new Set(newest.map(({ seq }) => seq))
}

function newestWithin(newestFirst: readonly Listed[], most: number): Listed[] {
  let left = most
  const end = newestFirst.findIndex(({ bytes }) => {
    left -= bytes
    return left < 0
  })
  return newestFirst.slice(0, end < 0 ? newestFirst.length : end)
}

type About = Pick<ChangeEdit, 'seq' | 'at' | 'tool' | 'promptSeq' | 'agentId'>

class Collector {
  readonly #files = new Map<string, Tracked>()
  #kept = 0
  #comparedMs = 0
  isCut = false

  take(edit: FileEdit, about: About, isShown: boolean): void {
    const file = this.#file(edit.path)
    if (!file) return
    const moved = edit.movedFrom === undefined ? undefined : this.#files.get(edit.movedFrom)?.text
    const before = edit.original !== undefined ? edit.original : (moved ?? file.text)
    const now = bounded(after(edit, before))
    if (file.edits.length === 0) file.first = edit.movedFrom === undefined ? bounded(before) : null
    this.#keep(file, edit, now)
    const hunks = isShown ? this.#hunks(edit, before, now) : pieceHunks(edit)
    const count = (sign: string) =>
      hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line[0] === sign).length, 0)
    file.lastSeq = about.seq
    file.edits.push({
      ...about,
      kind: edit.kind,
      ...(isShown ? { ...textsOf(edit, before), hunks } : {}),
      ...(edit.movedFrom === undefined ? {} : { movedFrom: edit.movedFrom }),
      added: count('+'),
      removed: count('-'),
    })
  }

  files({ cwd, root, replayed }: ChangesTask): ChangedFile[] {
    const roots = [root, cwd].filter((path) => path !== undefined)
    const look = diskLook(roots)
    return [...this.#files]
      .sort(([, a], [, b]) => b.lastSeq - a.lastSeq)
      .map(([path, { first, text, pending, edits }]) => {
        const net = netOf(first, text)
        return {
          path,
          rel: relTo(path, roots),
          edits,
          ...(net === undefined ? {} : { net }),
          created: first === null,
          disk: replayed ? 'unknown' : diskState(path, { text, edits: pending }, look),
          added: edits.reduce((sum, { added }) => sum + added, 0),
          removed: edits.reduce((sum, { removed }) => sum + removed, 0),
        }
      })
  }

  /** Files that are hard to compare get the pieces alone once that took too long. */
  #hunks(edit: FileEdit, before: Text, now: Text) {
    if (this.#comparedMs > COMPARE_MS) return pieceHunks(edit)
    const began = performance.now()
    const hunks = hunksOf(edit, before, now)
    this.#comparedMs += performance.now() - began
    return hunks
  }

  #file(path: string): Tracked | undefined {
    const known = this.#files.get(path)
    if (known) return known
    if (this.#files.size >= MAX_FILES) {
      this.isCut = true
      return undefined
    }
    const file: Tracked = { first: undefined, text: undefined, pending: [], edits: [], lastSeq: 0 }
    this.#files.set(path, file)
    return file
  }

  #keep(file: Tracked, edit: FileEdit, now: Text): void {
    this.#kept += (now?.length ?? 0) - (file.text?.length ?? 0)
    const fits = this.#kept <= MAX_KEPT_CHARS
    if (!fits) this.#kept -= now?.length ?? 0
    file.text = fits ? now : undefined
    const { original: _, ...bare } = edit
    const isFindable = edit.kind !== 'write' && !edit.isCell && (fits || now === undefined)
    if (file.text !== undefined) file.pending = []
    else file.pending = isFindable ? file.pending && [...file.pending.slice(-MAX_PENDING), bare] : undefined
  }
}

function bounded(text: Text): Text {
  return typeof text === 'string' && text.length > MAX_TEXT_CHARS ? undefined : text
}

function hunksOf(edit: FileEdit, before: Text, now: Text) {
  const isKnown = before !== undefined && now !== undefined
  return (isKnown ? diffOf(before ?? '', now ?? '') : undefined) ?? pieceHunks(edit)
}

function textsOf(edit: FileEdit, before: Text): Pick<ChangeEdit, 'before' | 'after'> {
  const [piece, ...more] = edit.pieces ?? []
  const was = edit.kind === 'write' ? (before ?? undefined) : more.length === 0 ? piece?.before : undefined
  const is =
    edit.kind === 'write' ? (after(edit, before) ?? undefined) : more.length === 0 ? piece?.after : undefined
  return {
    ...(was === undefined || was.length > PIECE_CHARS ? {} : { before: was }),
    ...(is === undefined || is.length > PIECE_CHARS ? {} : { after: is }),
  }
}

function netOf(first: Text, text: Text) {
  return first === undefined || text === undefined ? undefined : diffOf(first ?? '', text ?? '')
}

function relTo(path: string, roots: readonly string[]): string {
  const root = roots.find((one) => path.startsWith(`${one}/`))
  return root === undefined ? path : relative(root, path)
}
