/** Hours of the week: how much agents worked, or waited for a person. Each field says its number. */
import { useState } from 'react'
import { Chip } from '../parts/controls.tsx'
import { spentOrNone } from '../parts/format.ts'
import { Panel } from './bars.tsx'
import { type Insights, WEEK, WEEKDAYS } from './sums.ts'

const KINDS = {
  waitedMs: { word: 'waited for you', className: 'waits-heat' },
  workedMs: { word: 'worked', className: 'works-heat' },
} as const
type Kind = keyof typeof KINDS

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const STEPS = 5 // shades

export function Heat({ data }: { readonly data: Insights }) {
  const [kind, setKind] = useState<Kind>('waitedMs')
  const values = data.heat[kind]
  const most = Math.max(0, ...values.flat())
  const { word, className } = KINDS[kind]
  return (
    <Panel title="When" about={`by weekday and hour; the darkest is ${spentOrNone(most)}`}>
      <div className="chips">
        {(Object.keys(KINDS) as Kind[]).map((one) => (
          <Chip key={one} on={one === kind} onClick={() => setKind(one)}>
            {KINDS[one].word}
          </Chip>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={`Time ${word}, by weekday and hour`}>
        <table className={`heat ${className}`}>
          <caption className="hidden-text">Time {word}, by weekday and hour</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="hidden-text">Day</span>
              </th>
              {HOURS.map((hour) => (
                <th key={hour} scope="col">
                  {hour % 3 === 0 ? hour : <span className="hidden-text">{hour}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEK.map((day) => (
              <tr key={day}>
                <th scope="row">{WEEKDAYS[day]}</th>
                {HOURS.map((hour) => {
                  const ms = values[day]?.[hour] ?? 0
                  const words = `${WEEKDAYS[day]} ${hour}:00, ${word} ${spentOrNone(ms)}`
                  return (
                    <td key={hour} className={`heat-${stepOf(ms, most)}`} title={words}>
                      <span className="hidden-text">{spentOrNone(ms)}</span>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  )
}

function stepOf(ms: number, most: number): number {
  return ms <= 0 || most <= 0 ? 0 : Math.max(1, Math.ceil((ms / most) * STEPS))
}
