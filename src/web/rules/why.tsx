/** Why an event was answered so: what each rule and guard of today says about it, beside the answer of the time. */
import { type FormEvent, useId } from 'react'
import type { GuardReason, RuleReason, Span, WhyView } from '../../client/index.ts'
import { inputLine } from '../../core/text/input-line.ts'
import { counted } from '../../core/text/text.ts'
import { useCall } from '../live/call.ts'
import { Button } from '../parts/controls.tsx'
import { shown } from '../parts/format.ts'
import { Section, Titled } from '../parts/section.tsx'
import { go, linkTo, useQuery } from '../router.ts'
import { Decision, Judged } from './marks.tsx'

export function Why() {
  const event = useQuery().get('event')?.trim() ?? ''
  const field = useId()
  const ask = (form: FormEvent<HTMLFormElement>) => {
    form.preventDefault()
    const value = new FormData(form.currentTarget).get('event')
    if (typeof value === 'string' && value.trim() !== '')
      go(`/rules/why?event=${encodeURIComponent(value.trim())}`)
  }
  return (
    <>
      <Titled title="Why was an event answered so?" note="asked of the rules and guards of today">
        <form className="ask-line" onSubmit={ask}>
          <label htmlFor={field}>Event</label>
          <input
            key={event}
            id={field}
            name="event"
            className="field mono"
            placeholder="its id or number, as the journal shows it"
            defaultValue={event}
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" kind="main">
            Explain
          </Button>
        </form>
        {event === '' ? (
          <p className="quiet">
            The <a {...linkTo('/journal')}>journal</a> has every event with its number.
          </p>
        ) : null}
      </Titled>
      {event === '' ? <Recent /> : <Explained key={event} event={event} />}
    </>
  )
}

function Explained({ event }: { readonly event: string }) {
  const found = useCall('rules.why', { event })
  return (
    <Section title={`Event ${shown(event)}`} asked={found}>
      {(view) => <Reasons view={view} />}
    </Section>
  )
}

/** A few to begin with: what was held up last. */
function Recent() {
  const deny = useCall('events.page', { limit: 8, verdict: 'deny' })
  const events = [...(deny.data?.events ?? [])].reverse()
  if (events.length === 0) return null
  return (
    <Titled title="Denied last">
      <ul className="links">
        {events.map(({ seq, agent, type, tool }) => (
          <li key={seq}>
            <a {...linkTo(`/rules/why?event=${seq}`)}>
              {seq} {shown(agent)} {type} {tool ? shown(`${tool.name} ${inputLine(tool.input)}`) : ''}
            </a>
          </li>
        ))}
      </ul>
    </Titled>
  )
}

function Reasons({ view }: { readonly view: WhyView }) {
  const { agent, type, tool, prompt, at, verdict, unknown, answered, changed, rules, guards } = view
  const line = tool ? inputLine(tool.input) : (prompt ?? '')
  const spoke = guards.filter(({ said }) => said === 'matched')
  const unclear = guards.filter(({ said }) => said === 'not understood')
  return (
    <>
      <p>
        <b>{shown([type, tool?.name].filter(Boolean).join(' '))}</b> from {shown(agent)}{' '}
        <span className="quiet">{new Date(at).toLocaleString()}</span>
      </p>
      {line === '' ? null : <pre className="box">{shown(line)}</pre>}
      <dl className="pairs">
        <div>
          <dt>Today</dt>
          <dd>
            <Spoken {...verdict} />
            {unknown === undefined ? null : <span className="need"> ? {shown(unknown)}</span>}
          </dd>
        </div>
        <div>
          <dt>Answered</dt>
          <dd>
            {answered ? <Spoken {...answered} /> : 'nothing, or it is not known any more'}
            {answered?.person === undefined ? null : <span className="quiet"> {shown(answered.person)}</span>}
          </dd>
        </div>
      </dl>
      {changed === undefined ? null : <p className="quiet">{shown(changed)}</p>}
      <h3>Rules</h3>
      {rules.length === 0 ? <p className="quiet">There are none.</p> : null}
      <ul className="reasons">
        {rules.map((rule) => (
          <RuleItem key={rule.id} rule={rule} />
        ))}
      </ul>
      <h3>Guards</h3>
      <ul className="reasons">
        {spoke.map((guard) => (
          <GuardItem key={guard.id} guard={guard} />
        ))}
      </ul>
      <p className="quiet">
        {guards.length === 0
          ? 'They were not asked: they are off, or the event is no tool call.'
          : `${counted(guards.length - spoke.length - unclear.length, 'guard')} found nothing${
              unclear.length > 0
                ? `; ${unclear.length} did not understand it: ${shown(unclear[0]?.why ?? '')}`
                : ''
            }.`}
      </p>
    </>
  )
}

function Spoken({
  decision,
  by,
  reason,
}: {
  readonly decision: string
  readonly by?: string | undefined
  readonly reason?: string | undefined
}) {
  return (
    <>
      <Decision of={decision} />
      {by === undefined ? null : <span> by {shown(by)}</span>}
      {reason === undefined ? null : <span>: {shown(reason)}</span>}
    </>
  )
}

function RuleItem({ rule }: { readonly rule: RuleReason }) {
  const { id, said, why, conditions, isLate } = rule
  const telling = conditions.filter((one) => said !== 'not matched' || one.said !== 'matched')
  return (
    <li>
      <Judged said={said} /> <b>{shown(id)}</b>
      {why === undefined ? null : <span> {shown(why)}</span>}
      {isLate ? <span className="quiet"> not asked: another had decided</span> : null}
      <ul>
        {telling.map((one) => (
          <li key={one.name}>
            <Judged said={one.said} /> <code>{shown(one.name)}</code>
            {one.why === undefined ? null : <span> {shown(one.why)}</span>}
            <Found span={one.span} />
          </li>
        ))}
      </ul>
    </li>
  )
}

function GuardItem({ guard: { id, mode, said, why, span } }: { readonly guard: GuardReason }) {
  return (
    <li>
      <Judged said={said} /> <b>{id}</b> <Decision of={mode} />
      {why === undefined ? null : <span> {shown(why)}</span>}
      <Found span={span} />
    </li>
  )
}

function Found({ span }: { readonly span: Span | undefined }) {
  return span === undefined ? null : (
    <>
      {' '}
      <mark title={`bytes ${span.from} to ${span.to}`}>{shown(span.text)}</mark>
    </>
  )
}
