/** One event whole: facts, payload pretty or byte for byte, what the rules say to it, and where it belongs. */
import { useState } from 'react'
import type { CallResult } from '../../client/index.ts'
import { ageWords, tookWords } from '../../core/text/amount.ts'
import { sessionKeyOf } from '../../events/keys.ts'
import { typeTone } from '../../timeline/line.ts'
import { useCall } from '../live/call.ts'
import { Button } from '../parts/controls.tsx'
import { EventPayload } from '../parts/event-payload.tsx'
import { Fact } from '../parts/figures.tsx'
import { shown } from '../parts/format.ts'
import { Glyph } from '../parts/mark.tsx'
import { toast } from '../parts/toast.tsx'
import { linkTo, sessionPath } from '../router.ts'
import type { Filter } from './filters.ts'
import { numberWords } from './line.ts'
import { SessionName } from './row.tsx'
import { Rules } from './rules.tsx'

type Event = CallResult<'events.get'>

const TABS = ['pretty', 'raw', 'rules'] as const
type Tab = (typeof TABS)[number]
const TAB_WORDS: Readonly<Record<Tab, string>> = { pretty: 'Payload', raw: 'Raw', rules: 'Rules' }

interface Props {
  readonly id: string
  readonly onClose: () => void
  readonly onFilter: (name: Filter, value: string) => void
  /** To its place in the journal; absent where it is shown there. */
  readonly onPlace: ((seq: number) => void) | undefined
}

export function Detail({ id, onClose, onFilter, onPlace }: Props) {
  const asked = useCall('events.get', { id })
  const event = asked.data
  return (
    <aside className="event-panel" aria-label="Event">
      <header>
        <h2 className={event ? typeTone(event.type) : 'quiet'}>{event ? shown(event.type) : 'Event'}</h2>
        {event ? <span className="quiet">event {numberWords(event.seq)}</span> : null}
        <Button onClick={onClose} hint="esc">
          Close
        </Button>
      </header>
      {asked.state === 'failed' ? <Gone message={asked.error.message} /> : null}
      {event ? <Whole key={event.id} {...{ event, onFilter, onPlace }} /> : null}
    </aside>
  )
}

function Gone({ message }: { readonly message: string }) {
  return (
    <>
      <p className="error">{shown(message)}</p>
      <p className="quiet">
        It may have been deleted: the journal keeps events as long as the retention of the configuration says,
        and sessions may be purged.
      </p>
    </>
  )
}

function Whole({
  event,
  onFilter,
  onPlace,
}: Pick<Props, 'onFilter' | 'onPlace'> & { readonly event: Event }) {
  const [tab, setTab] = useState<Tab>('pretty')
  const key = sessionKeyOf(event)
  return (
    <>
      <Facts event={event} />
      <div className="actions">
        {event.sessionId !== '' && key !== '' ? (
          <a className="button" {...linkTo(`${sessionPath(key)}?tab=events&at=${event.seq}`)}>
            Open session
          </a>
        ) : null}
        {onPlace ? <Button onClick={() => onPlace(event.seq)}>Show in the journal</Button> : null}
        <Button onClick={() => void copyLink(event.id)}>Copy link</Button>
        {event.sessionId === '' ? null : (
          <Button onClick={() => onFilter('session', event.sessionId)}>Only this session</Button>
        )}
        <Button onClick={() => onFilter('type', event.type)}>Only this type</Button>
        {event.tool ? (
          <Button onClick={() => onFilter('tool', event.tool?.name ?? '')}>Only this tool</Button>
        ) : null}
      </div>
      <div className="tab-row" role="tablist" aria-label="Event">
        {TABS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`event-tab-${one}`}
            aria-selected={one === tab}
            aria-controls="event-tab-panel"
            onClick={() => setTab(one)}
          >
            {TAB_WORDS[one]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="event-tab-panel" aria-labelledby={`event-tab-${tab}`}>
        {tab === 'rules' ? <Rules event={event} /> : <EventPayload event={event} isRaw={tab === 'raw'} />}
      </div>
    </>
  )
}

function Facts({ event }: { readonly event: Event }) {
  const { agent, agentVersion, sessionId, agentType, agentId, native, type, tool, cwd, at, receivedAt } =
    event
  const late = receivedAt - at
  return (
    <dl className="pairs">
      <Fact name="time">
        {new Date(at).toLocaleString()}
        {late >= 1_000 ? <span className="quiet"> · received {ageWords(late)} later</span> : null}
      </Fact>
      <Fact name="session">
        <Glyph agent={agent} /> <SessionName of={sessionKeyOf(event)} id={sessionId} />{' '}
        <span className="quiet">
          {agent} {shown(agentVersion ?? '')}
        </span>
      </Fact>
      {agentType || agentId ? (
        <Fact name="sub-agent">{shown([agentType, agentId].filter(Boolean).join(' '))}</Fact>
      ) : null}
      {tool ? (
        <Fact name="tool">
          {shown(tool.name)}
          {tool.durationMs === undefined ? '' : ` · ${tookWords(tool.durationMs)}`}
        </Fact>
      ) : null}
      {event.reason ? <Fact name="reason">{shown(event.reason)}</Fact> : null}
      {native === type ? null : <Fact name="native name">{shown(native)}</Fact>}
      {cwd ? <Fact name="folder">{shown(cwd)}</Fact> : null}
      <Fact name="came by">{event.transport}</Fact>
      {event.hidden ? <Fact name="not counted">{shown(event.hidden)}</Fact> : null}
      {event.cutFrom === undefined ? null : (
        <Fact name="cut">the payload had {numberWords(event.cutFrom)} bytes; its beginning is kept</Fact>
      )}
    </dl>
  )
}

async function copyLink(id: string): Promise<void> {
  const link = `${location.origin}/journal?event=${encodeURIComponent(id)}`
  try {
    await navigator.clipboard.writeText(link)
    toast('The link to this event is copied.', 'done')
  } catch {
    toast(link)
  }
}
