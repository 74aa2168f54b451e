/** The edits of one file as a diff, unified or side by side. */
import { memo, use, useMemo, useState } from 'react'
import { CodeLineText } from '../../parts/code.tsx'
import { clockWords, shown } from '../../parts/format.ts'
import { Colours, useDiffColours } from './colours.ts'
import { type Fold, type Line, pairsOf, type Row } from './lines.ts'
import {
  type ChangedFile,
  countWords,
  DISK_WORDS,
  type Edit,
  netRows,
  rowsOfEdit,
  sumOfEdits,
} from './model.ts'

export type Mode = 'unified' | 'split'

interface Props {
  readonly file: ChangedFile
  readonly edits: readonly Edit[]
  /** All that the session did to it: one diff, if the journal knows both ends. */
  readonly isWhole: boolean
  readonly mode: Mode
  readonly isOpen: boolean
}

export const FileDiff = memo(function FileDiff({ file, edits, isWhole, mode, isOpen }: Props) {
  const [open, setOpen] = useState(isOpen)
  const [each, setEach] = useState(false)
  const { added, removed } = isWhole ? file : sumOfEdits(edits)
  const disk = DISK_WORDS[file.disk]
  const net = useMemo(
    () => (isWhole && edits.length > 1 ? netRows(file) : undefined),
    [isWhole, edits.length, file],
  )
  return (
    <details
      className="file"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-disk={file.disk}
    >
      <summary>
        <h3>{shown(file.rel || file.path)}</h3>
        <span className="quiet">
          {file.created ? 'new · ' : ''}
          {countWords(added, removed)}
        </span>
        <span className={disk.tone} title={disk.title}>
          {disk.words}
        </span>
      </summary>
      {open && net ? (
        <button type="button" className="fold" aria-pressed={each} onClick={() => setEach(!each)}>
          {each ? 'Show what is left of them' : `Show each of ${edits.length} edits`}
        </button>
      ) : null}
      {open && net && !each ? <Diff rows={net} mode={mode} path={file.path} /> : null}
      {open && (!net || each)
        ? edits.map((edit, n) => (
            <EditDiff
              // biome-ignore lint/suspicious/noArrayIndexKey: a call may edit a file several times
              key={`${edit.seq} ${n}`}
              {...{ edit, mode }}
              path={file.path}
              isOne={edits.length === 1}
            />
          ))
        : null}
    </details>
  )
})

interface EditProps {
  readonly edit: Edit
  readonly mode: Mode
  readonly path: string
  /** Nothing to tell it from. */
  readonly isOne: boolean
}

function EditDiff({ edit, mode, path, isOne }: EditProps) {
  const rows = useMemo(() => rowsOfEdit(edit), [edit])
  return (
    <>
      {isOne && edit.movedFrom === undefined ? null : (
        <div className="edit-head">
          {clockWords(edit.at)} · {shown(edit.tool)}
          {edit.agentId === undefined ? '' : ' by a sub-agent'}
          {edit.movedFrom === undefined ? '' : ` · moved from ${shown(edit.movedFrom)}`}
        </div>
      )}
      {rows.length === 0 ? (
        <p className="nothing">
          {edit.kind === 'delete' ? 'The file was deleted.' : 'Its text is left out.'}
        </p>
      ) : (
        <Diff rows={rows} mode={mode} path={path} />
      )}
    </>
  )
}

function Diff({
  rows,
  mode,
  path,
}: {
  readonly rows: readonly Row[]
  readonly mode: Mode
  readonly path: string
}) {
  const colours = useDiffColours(rows, path)
  const isUnified = mode === 'unified' || isOneSided(rows)
  return (
    <Colours value={colours}>
      <div className={isUnified ? 'diff' : 'diff split'}>
        {isUnified ? <Unified rows={rows} /> : <Split rows={rows} />}
      </div>
    </Colours>
  )
}

/** Of a new file the other side would be empty. */
function isOneSided(rows: readonly Row[]): boolean {
  return !rows.some(({ kind }) => kind === 'del') || !rows.some(({ kind }) => kind === 'add')
}

function Unified({ rows }: { readonly rows: readonly Row[] }) {
  return rows.map((row, n) =>
    row.kind === 'fold' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit never change
      <Folded key={n} fold={row} render={(lines) => <Unified rows={lines} />} />
    ) : row.kind === 'gap' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit never change
      <Between key={n} line={row.line} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit never change
      <CodeLine key={n} line={row} />
    ),
  )
}

function Split({ rows }: { readonly rows: readonly Row[] }) {
  return pairsOf(rows).map((pair, n) =>
    'kind' in pair && pair.kind === 'gap' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an edit never change
      <Between key={n} line={pair.line} />
    ) : 'kind' in pair ? (
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

function Between({ line }: { readonly line: number }) {
  return <div className="between">{line > 0 ? `line ${line}` : '…'}</div>
}

const SIGNS = { same: ' ', add: '+', del: '−' } as const
const MAX_CHARS = 2_000 // of a line: minified code is not read

function CodeLine({ line }: { readonly line: Line }) {
  const { kind, text, pieces, number } = line
  const colours = use(Colours)?.get(line)
  const cut = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}… ${text.length - MAX_CHARS} more` : text
  return (
    <div className={`line ${kind}`}>
      <span className="number-at">{number ?? ''}</span>
      <span className="sign">{SIGNS[kind]}</span>
      <code>
        {pieces || (colours && cut === text) ? (
          <CodeLineText words={pieces ?? [{ text, changed: false }]} colours={colours ?? []} />
        ) : (
          shown(cut)
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
