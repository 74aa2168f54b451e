/** What a session changed: prompts at the left, the diff of one of them, or of all, at the right. */
import { useEffect, useMemo, useState } from 'react'
import type { SessionView } from '../../../client/index.ts'
import { counted } from '../../../core/text/text.ts'
import { useCall } from '../../live/call.ts'
import { useMedia } from '../../live/shared.ts'
import { Button } from '../../parts/controls.tsx'
import { clockWords, shown } from '../../parts/format.ts'
import { select } from '../address.ts'
import { useThrottled } from '../data.ts'
import type { TabProps } from '../index.tsx'
import { FileDiff, type Mode } from './file.tsx'
import { type Changes as Changed, countWords, editsOf, promptRows, sumOf } from './model.ts'

const AGAIN_MS = 4_000 // a diff that moves while it is read is no use
const OPEN_FILES = { timeline: 3, changes: 12 } // more are one press away

export function ChangesTab({ session, at }: TabProps) {
  return <Changes session={session} at={at} part="changes" />
}

interface Props {
  readonly session: SessionView
  readonly at: number | undefined
  /** Where it stands: alone, or below the timeline. */
  readonly part: 'timeline' | 'changes'
}

export function Changes({ session, at, part }: Props) {
  const [looked, look] = useLooks()
  const seq = useThrottled(session.cause?.seq, AGAIN_MS)
  const asked = useCall('sessions.changes', { session: session.key }, `${seq} ${looked}`)
  const [picked, setPicked] = useState<number>()
  const prompt = part === 'changes' ? at : picked
  const pick = (next: number | undefined) =>
    part === 'changes' ? select(session.key, 'changes', next) : setPicked(next)
  const changes = asked.data
  if (!changes)
    return asked.state === 'failed' ? (
      <p className="error">{asked.error.message}</p>
    ) : (
      <p className="waits">{part === 'changes' ? 'Reading the journal…' : ''}</p>
    )
  if (changes.files.length === 0)
    return part === 'timeline' ? null : (
      <p className="nothing">
        It has changed no file with its own tools. What shell commands change is not known here.
      </p>
    )
  return <Shown {...{ changes, prompt, pick, look, part }} />
}

interface ShownProps {
  readonly changes: Changed
  readonly prompt: number | undefined
  readonly pick: (prompt: number | undefined) => void
  readonly look: () => void
  readonly part: Props['part']
}

function Shown({ changes, prompt, pick, look, part }: ShownProps) {
  const [mode, setMode] = useMode()
  const isNarrow = useMedia('(max-width: 900px)')
  const rows = useMemo(() => promptRows(changes), [changes])
  const whole = useMemo(() => sumOf(changes.files, undefined), [changes])
  const files = useMemo(
    () =>
      changes.files
        .map((file) => ({ file, edits: editsOf(file, prompt) }))
        .filter(({ edits }) => edits.length > 0),
    [changes, prompt],
  )
  return (
    <>
      <div className="changes-head">
        {part === 'timeline' ? <h2>What it changed</h2> : null}
        <div className="actions">
          {isNarrow ? null : (
            <Button onClick={() => setMode(mode === 'unified' ? 'split' : 'unified')}>
              {mode === 'unified' ? 'Side by side' : 'Unified'}
            </Button>
          )}
          <Button onClick={look}>Check the disk again</Button>
        </div>
      </div>
      {changes.cut ? <p className="quiet">Earlier changes are left out.</p> : null}
      <div className="changes">
        <ol className="prompts" aria-label="Prompts">
          <li>
            <button type="button" aria-pressed={prompt === undefined} onClick={() => pick(undefined)}>
              <small>
                {counted(whole.files, 'file')}, {countWords(whole.added, whole.removed)}
              </small>
              <span>The whole session</span>
            </button>
          </li>
          {rows.map(({ seq, at, text, files: count, added, removed }) => (
            <li key={`${seq} ${at}`}>
              <button type="button" aria-pressed={prompt === seq} onClick={() => pick(seq)}>
                <small>
                  {clockWords(at, false)}
                  {count === 0
                    ? ' · no files'
                    : ` · ${counted(count, 'file')}, ${countWords(added, removed)}`}
                </small>
                <span>{shown(text.slice(0, 400)) || '(empty)'}</span>
              </button>
            </li>
          ))}
        </ol>
        <div className="files">
          {files.length === 0 ? <p className="nothing">This prompt changed no file.</p> : null}
          {files.map(({ file, edits }, n) => (
            <FileDiff
              key={file.path}
              file={file}
              edits={edits}
              isWhole={prompt === undefined}
              mode={isNarrow ? 'unified' : mode}
              isOpen={n < OPEN_FILES[part]}
            />
          ))}
        </div>
      </div>
    </>
  )
}

/** The disk changes without an event: looked at again when the page is, and when somebody asks. */
function useLooks(): readonly [number, () => void] {
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && setLooks((n) => n + 1)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return [looks, () => setLooks((n) => n + 1)]
}

const KEPT = 'gantry.diff'

function useMode(): readonly [Mode, (mode: Mode) => void] {
  const [mode, setMode] = useState<Mode>(() => (readKept() === 'split' ? 'split' : 'unified'))
  return [
    mode,
    (next) => {
      setMode(next)
      try {
        localStorage.setItem(KEPT, next)
      } catch {
        // A browser that keeps nothing still shows it.
      }
    },
  ]
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    return null
  }
}
