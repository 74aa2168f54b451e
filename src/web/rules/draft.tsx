/** A draft of rules: checked as it is typed, and rehearsed on the journal. Nothing is saved: its owner does that. */
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import type { DraftProblem, Rehearsal } from '../../client/index.ts'
import { messageOf } from '../../core/errors.ts'
import { counted } from '../../core/text/text.ts'
import { DAY_MS } from '../../core/time/days.ts'
import { call } from '../live/call.ts'
import { Button, Chip } from '../parts/controls.tsx'
import { Command } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { Titled } from '../parts/section.tsx'
import { toast } from '../parts/toast.tsx'
import { Effects } from './effects.tsx'
import { type Outcome, rehearse } from './rehearse.ts'

const SPANS = [1, 7, 30] as const
const SETTLE_MS = 500 // each check starts a process
const EXAMPLE = `rules:
  - id: no-force-push
    on: PreToolUse
    when:
      program: git
      subcommand: push
      flags: [[--force, -f]]
    then:
      deny: Use --force-with-lease, or ask.
`

/** Another view and back must not cost a draft. */
let kept = EXAMPLE

export function Draft() {
  const [text, setText] = useState(kept)
  const [days, setDays] = useState<(typeof SPANS)[number]>(7)
  const checked = useCheck(text)
  const [outcome, setOutcome] = useState<Outcome>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  const [isRunning, setRunning] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => () => running.current?.abort(), [])

  const change = (value: string) => {
    kept = value
    setText(value)
    setOutcome(undefined)
    running.current?.abort()
  }
  const start = async () => {
    const end = new AbortController()
    running.current?.abort()
    running.current = end
    setRunning(true)
    setOutcome(undefined)
    setProblem(undefined)
    try {
      await rehearse(text, Date.now() - days * DAY_MS, end.signal, setOutcome)
    } catch (error) {
      if (!end.signal.aborted) setProblem(messageOf(error))
    }
    if (running.current === end) setRunning(false)
  }
  const goTo = (line: number) => {
    const lines = text.split('\n')
    const from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
    area.current?.focus()
    area.current?.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0))
  }
  const isGood = checked !== undefined && checked.problems.length === 0
  return (
    <>
      <Titled title="Try a draft" note="nothing is saved or in force">
        <label htmlFor={id} className="quiet">
          Rules as YAML; docs/rules.md has all they can say
        </label>
        <div className="editor">
          <Numbers ref={numbers} text={text} problems={checked?.problems ?? []} />
          <textarea
            ref={area}
            id={id}
            className="mono"
            spellCheck={false}
            autoComplete="off"
            wrap="off"
            rows={Math.min(30, Math.max(10, text.split('\n').length + 1))}
            value={text}
            aria-invalid={checked !== undefined && !isGood}
            aria-describedby={`${id}-check`}
            onScroll={({ currentTarget }) => numbers.current?.scrollTo(0, currentTarget.scrollTop)}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        </div>
        <div id={`${id}-check`} role="status">
          <Check checked={checked} onLine={goTo} />
        </div>
        <div className="actions">
          <fieldset className="chips">
            <legend className="hidden-text">How far back</legend>
            {SPANS.map((one) => (
              <Chip key={one} on={days === one} onClick={() => setDays(one)}>
                {one === 1 ? 'last day' : `last ${one} days`}
              </Chip>
            ))}
          </fieldset>
          {isRunning ? (
            <Button
              onClick={() => {
                running.current?.abort()
                setRunning(false)
                toast('Cancelled. What was found so far stays.')
              }}
            >
              Cancel
            </Button>
          ) : (
            <Button kind="main" disabled={!isGood} onClick={() => void start()}>
              Rehearse on the journal
            </Button>
          )}
        </div>
        {problem === undefined ? null : (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
      </Titled>
      {isRunning || outcome ? <Effects outcome={outcome} isRunning={isRunning} /> : null}
      {isGood && checked.rules.length > 0 ? <Saving file={checked.file} /> : null}
    </>
  )
}

/** The daemon's word on the draft, a moment after the last letter. */
function useCheck(text: string): Rehearsal | undefined {
  const [checked, setChecked] = useState<{ readonly text: string; readonly said: Rehearsal }>()
  useEffect(() => {
    const end = new AbortController()
    const timer = setTimeout(() => {
      call('rules.rehearse', { text }, end.signal).then(
        (said) => setChecked({ text, said }),
        () => {}, // away: the page says so
      )
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [text])
  return checked?.text === text ? checked.said : undefined
}

interface NumbersProps {
  readonly ref: Ref<HTMLDivElement>
  readonly text: string
  readonly problems: readonly DraftProblem[]
}

/** Scrolled with the text. */
function Numbers({ ref, text, problems }: NumbersProps) {
  const wrong = new Set(problems.map(({ line }) => line))
  return (
    <div ref={ref} className="line-numbers mono" aria-hidden="true">
      {text.split('\n').map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
        <div key={at} className={wrong.has(at + 1) ? 'error' : undefined}>
          {wrong.has(at + 1) ? '✖' : ''} {at + 1}
        </div>
      ))}
    </div>
  )
}

function Check({
  checked,
  onLine,
}: {
  readonly checked: Rehearsal | undefined
  readonly onLine: (line: number) => void
}) {
  if (!checked) return <p className="quiet">Checking…</p>
  const { problems, warnings, rules } = checked
  const lines = [
    ...problems.map((one) => ({ ...one, mark: '✖', tone: 'error' })),
    ...warnings.map((one) => ({ ...one, mark: '!', tone: 'need' })),
  ]
  return (
    <>
      {lines.map(({ line, text, mark, tone }) => (
        <p key={`${line} ${text}`} className={tone}>
          {mark}{' '}
          <button type="button" className="line-link" onClick={() => onLine(line)}>
            line {line}
          </button>
          : {shown(text)}
        </p>
      ))}
      {problems.length === 0 ? (
        <p className="work">
          ✓ {rules.length === 0 ? 'good, but without a rule' : `good: ${counted(rules.length, 'rule')}`}
        </p>
      ) : null}
    </>
  )
}

function Saving({ file }: { readonly file: string }) {
  return (
    <Titled
      title="To put it in force"
      note="gantry reads the folder by itself; a rule that is not good changes nothing"
    >
      <p>Copy the text into a file of this folder, under a name of your own:</p>
      <div className="actions">
        <Button
          onClick={() => void navigator.clipboard?.writeText(kept).then(() => toast('Copied.', 'done'))}
        >
          Copy the draft
        </Button>
        <Command>{shown(file)}</Command>
      </div>
    </Titled>
  )
}
