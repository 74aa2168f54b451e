/** What a draft would have done: how often, to what, and whether it was decided otherwise then. */
import type { RehearsalSample, RuleEffects } from '../../client/index.ts'
import { percentWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { countWords } from '../../rpc/rehearsal-report.ts'
import { Age } from '../parts/age.tsx'
import { shown } from '../parts/format.ts'
import { Titled } from '../parts/section.tsx'
import { linkTo } from '../router.ts'
import { Decision } from './marks.tsx'
import type { Outcome } from './rehearse.ts'

interface Props {
  readonly outcome: Outcome | undefined
  readonly isRunning: boolean
}

export function Effects({ outcome, isRunning }: Props) {
  return (
    <Titled
      title="It would have"
      note={
        outcome ? `${counted(outcome.judged, 'event')} judged, of ${outcome.events.toLocaleString('en')}` : ''
      }
    >
      {isRunning || (outcome && outcome.done < 1) ? (
        <p className="progress-line">
          <progress aria-label="Rehearsal" value={outcome?.done ?? 0} max={1} />
          <span className="quiet">
            {percentWords((outcome?.done ?? 0) * 100)}
            {isRunning ? '' : ', cancelled'}
          </span>
        </p>
      ) : null}
      {outcome ? <Done outcome={outcome} /> : null}
    </Titled>
  )
}

function Done({ outcome: { total, rules, unknown, done } }: { readonly outcome: Outcome }) {
  const spoke = rules.filter(({ counts }) => Object.keys(counts).length > 0)
  const silent = rules.filter((one) => !spoke.includes(one))
  return (
    <div className="effects" role="status">
      <p className="sum">{countWords(total)}</p>
      {Object.entries(unknown).map(([why, count]) => (
        <p key={why} className="need">
          ? {counted(count, 'event')} unknown: {shown(why)}
        </p>
      ))}
      <ul className="reasons">
        {spoke.map((effects) => (
          <OneRule key={effects.id} effects={effects} />
        ))}
      </ul>
      {silent.length > 0 && done === 1 ? (
        <p className="quiet">Never spoke: {silent.map(({ id }) => shown(id)).join(', ')}</p>
      ) : null}
    </div>
  )
}

function OneRule({ effects }: { readonly effects: RuleEffects }) {
  const { id, counts, differs, agents, projects, samples } = effects
  return (
    <li>
      <b>{shown(id)}</b> {countWords(counts)}
      <span className="quiet">
        {differs > 0 ? `, ${differs.toLocaleString('en')} decided otherwise then` : ''} ·{' '}
        {shown(Object.keys(agents).join(', '))} · {counted(Object.keys(projects).length, 'project')}
      </span>
      <ul>
        {samples.map((sample) => (
          <SampleItem key={sample.id} sample={sample} />
        ))}
      </ul>
    </li>
  )
}

function SampleItem({ sample: { id, at, line, effect, answered } }: { readonly sample: RehearsalSample }) {
  return (
    <li>
      <Decision of={effect} />{' '}
      <a {...linkTo(`/rules/why?event=${encodeURIComponent(id)}`)}>
        <code className="wraps">{shown(line)}</code>
      </a>{' '}
      <span className="quiet">
        <Age since={at} /> ago, then {shown(answered?.decision ?? 'none')}
      </span>
    </li>
  )
}
