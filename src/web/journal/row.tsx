/** One line of the journal. */
import { memo } from 'react'
import { useLive } from '../live/store.ts'
import { Glyph } from '../parts/mark.tsx'
import { type Line, timeWords, VERDICT_LOOKS } from './line.ts'

interface Props {
  readonly line: Line
  readonly index: number
  readonly top: number
  readonly height: number
  readonly selected: boolean
  /** The first line of another day than the one above. */
  readonly newDay: boolean
  readonly now: number
  readonly onPress: (line: Line) => void
}

export const Row = memo(function Row({ line, index, top, height, selected, newDay, now, onPress }: Props) {
  const { seq, at, agent, session, key, type, tone, tool, text, verdict, why } = line
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the view's own keys do the same for the selected line
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the selected line
    <div
      role="option"
      id={`event-${seq}`}
      className={`event${newDay ? ' new-day' : ''}`}
      aria-posinset={index}
      aria-setsize={-1}
      aria-selected={selected}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={() => onPress(line)}
    >
      <span className="event-time" title={`event ${seq}, ${new Date(at).toLocaleString()}`}>
        {timeWords(at, now)}
      </span>
      <span className="event-who cut">
        <Glyph agent={agent} /> <SessionName of={key} id={session} />
      </span>
      <span className={`event-type cut ${tone}`}>{type}</span>
      <span className="event-tool cut">{tool}</span>
      <span className="event-text cut">{text}</span>
      <span className={`event-verdict ${VERDICT_LOOKS[verdict].tone}`} title={why || undefined}>
        {VERDICT_LOOKS[verdict].mark} {verdict}
      </span>
    </div>
  )
})

/** Its name as far as the page knows it; else the beginning of its id. */
export function SessionName({ of, id }: { readonly of: string; readonly id: string }) {
  const name = useLive(({ sessions }) => sessions.get(of)?.name)
  return <>{name ?? (id === '' ? '–' : id.slice(0, 8))}</>
}
