/** The edits of one file as a diff, unified or side by side. */
import { memo, useMemo, useState } from 'react'
import { shown } from '../../parts/words.ts'
import { clockWords } from '../clock-words.ts'
import { countsOf, type Fold, folded, type Line, pairsOf, type Row } from './lines.ts'
import { type ChangedFile, countWords, DISK_WORDS, type Edit, linesOfEdit } from './model.ts'

export type Mode = 'unified' | 'split'

interface Props {
  readonly file: ChangedFile
  readonly edits: readonly Edit[]
  readonly mode: Mode
  readonly isOpen: boolean
}

export const FileDiff = memo(function FileDiff({ file, edits, mode, isOpen }: Props) {
  const [open, setOpen] = useState(isOpen)
  const counts = useMemo(() => {
    if (edits.length === file.edits.length) return countWords(file.added, file.removed)
    const all = edits.map((edit) => countsOf(linesOfEdit(edit)))
    return countWords(
      all.reduce((sum, { added }) => sum + added, 0),
      all.reduce((sum, { removed }) => sum + removed, 0),
    )
  }, [edits, file])
  const disk = DISK_WORDS[file.disk]
  return (
    <details
      className="file"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-disk={file.disk}
    >
      <summary>
        <h3>{shown(file.rel || file.path)}</h3>
        <span className="quiet">{counts}</span>
        <span className={disk.tone} title={disk.title}>
          {disk.words}
        </span>
      </summary>
      {open
        ? edits.map((edit, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a call may edit a file several times
            <EditDiff key={`${edit.seq} ${n}`} edit={edit} mode={mode} isOne={edits.length === 1} />
          ))
        : null}
    </details>
  )
})

interface EditProps {
  readonly edit: Edit
  readonly mode: Mode
  /** Nothing to tell it from. */
  readonly isOne: boolean
}

function EditDiff({ edit, mode, isOne }: EditProps) {
  const lines = linesOfEdit(edit)
  const rows = useMemo(() => folded(lines), [lines])
  return (
    <>
      {isOne ? null : (
        <div className="edit-head">
          {clockWords(edit.at)} · {shown(edit.tool)}
          {edit.agentId === undefined ? '' : ' by a sub-agent'}
        </div>
      )}
      {lines.length === 0 ? (
        <p className="nothing">
          {edit.kind === 'delete' ? 'The file was deleted.' : 'The journal has no text of this edit.'}
        </p>
      ) : mode === 'unified' || isOneSided(lines) ? (
        <div className="diff">
          <Unified rows={rows} />
        </div>
      ) : (
        <div className="diff split">
          <Split rows={rows} />
        </div>
      )}
    </>
  )
}

/** Of a new file the other side would be empty. */
function isOneSided(lines: readonly Line[]): boolean {
  return lines.every(({ kind }) => kind === lines[0]?.kind)
}

function Unified({ rows }: { readonly rows: readonly Row[] }) {
  return rows.map((row, n) =>
    row.kind === 'fold' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit never change
      <Folded key={n} fold={row} render={(lines) => <Unified rows={lines} />} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit never change
      <CodeLine key={n} line={row} />
    ),
  )
}

function Split({ rows }: { readonly rows: readonly Row[] }) {
  return pairsOf(rows).map((pair, n) =>
    'kind' in pair ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit never change
      <Folded key={n} fold={pair} render={(lines) => <Split rows={lines} />} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit never change
      <div key={n} className="pair">
        {pair.left ? <CodeLine line={pair.left} /> : <div className="line none" />}
        {pair.right ? <CodeLine line={pair.right} /> : <div className="line none" />}
      </div>
    ),
  )
}

const SIGNS = { same: ' ', add: '+', del: '−' } as const
const MAX_CHARS = 2_000 // of a line: minified code is not read

function CodeLine({ line: { kind, text, pieces } }: { readonly line: Line }) {
  return (
    <div className={`line ${kind}`}>
      <span className="sign">{SIGNS[kind]}</span>
      <code>
        {pieces
          ? pieces.map(({ text: part, changed }, n) =>
              changed ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the words of a line never change
                <b key={n}>{shown(part)}</b>
              ) : (
                shown(part)
              ),
            )
          : shown(
              text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}… ${text.length - MAX_CHARS} more` : text,
            )}
      </code>
    </div>
  )
}

interface FoldedProps {
  readonly fold: Fold
  readonly render: (lines: readonly Line[]) => React.ReactNode
}

const STEP = 500 // lines that one press unfolds

function Folded({ fold, render }: FoldedProps) {
  const [count, setCount] = useState(0)
  const left = fold.lines.length - count
  return (
    <>
      {count > 0 ? render(fold.lines.slice(0, count)) : null}
      {left > 0 ? (
        <button
          type="button"
          className="fold"
          onClick={() => setCount(Math.min(fold.lines.length, count + STEP))}
        >
          {left} {fold.lines[0]?.kind === 'same' ? 'unchanged lines' : 'more lines'}
        </button>
      ) : null}
    </>
  )
}
