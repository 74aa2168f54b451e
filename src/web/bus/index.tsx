/** What leaves the journal: streams, who reads them and how far behind, NATS, webhooks, handlers, and what nobody took. */
import type {
  BusConsumer,
  BusStatus,
  BusStreamStatus,
  HandlerStatus,
  WebhookStatus,
} from '../../client/index.ts'
import { byteWords, shortNumber, tookWords } from '../../core/text/amount.ts'
import { useFresh } from '../live/fresh.ts'
import { Age } from '../parts/age.tsx'
import { Command } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { LevelMark, Section } from '../parts/section.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { Nats } from './nats.tsx'

export default function Bus() {
  const status = useFresh('bus.status', {})
  const consumers = useFresh('bus.consumers', {})
  const webhooks = useFresh('bus.webhooks', {})
  const handlers = useFresh('bus.handlers', {})
  return (
    <>
      <h1 className="view-title">Bus</h1>
      <Problems problems={status.data?.problems ?? []} />
      <DeadLetters />
      <Section title="Streams" asked={status}>
        {({ streams }) => (
          <Table label="Streams" columns={STREAMS} rows={streams} keyOf={({ name }) => name} />
        )}
      </Section>
      <Section
        title="Consumers"
        note="durable readers, each with its own place in a stream"
        asked={consumers}
      >
        {(rows) =>
          rows.length === 0 ? (
            <Nothing says="No program reads the bus with a place of its own. To start one:">
              gantry bus subscribe --durable reports
            </Nothing>
          ) : (
            <Table
              label="Consumers"
              columns={CONSUMERS}
              rows={rows}
              keyOf={({ stream, name }) => `${stream} ${name}`}
            />
          )
        }
      </Section>
      <Nats status={status} />
      <Section title="Webhooks" asked={webhooks}>
        {(rows) =>
          rows.length === 0 ? (
            <Nothing says="None. A table [[webhooks]] in gantry.toml sends events to a URL; docs/webhooks.md shows how.">
              gantry config edit
            </Nothing>
          ) : (
            <Table label="Webhooks" columns={WEBHOOKS} rows={rows} keyOf={({ name }) => name} />
          )
        }
      </Section>
      <Section
        title="Handlers"
        note="commands and files that answer hooks, in the order they run"
        asked={handlers}
      >
        {(rows) =>
          rows.length === 0 ? (
            <Nothing says="None. A handler is a command or a file that gantry asks about events; docs/handlers.md.">
              gantry handlers --help
            </Nothing>
          ) : (
            <Table
              label="Handlers"
              columns={HANDLERS}
              rows={rows}
              keyOf={({ id, command }) => `${id} ${command}`}
            />
          )
        }
      </Section>
    </>
  )
}

function Nothing({ says, children }: { readonly says: string; readonly children: string }) {
  return (
    <div className="nothing-here">
      <p className="quiet">{says}</p>
      <Command>{children}</Command>
    </div>
  )
}

function Problems({ problems }: { readonly problems: BusStatus['problems'] }) {
  if (problems.length === 0) return null
  return (
    <ul className="findings" aria-label="Problems of the bus">
      {problems.map(({ level, about, message, fix }) => (
        <li key={`${about} ${message}`} className={level}>
          <LevelMark level={level} />
          <div>
            <p>
              <b>{shown(about)}</b> {shown(message)}
            </p>
            {fix === undefined ? null : <p className="fix">→ {shown(fix)}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}

const many = (count: number, tone: string) =>
  count > 0 ? <span className={tone}>{count.toLocaleString('en')}</span> : <span className="quiet">0</span>

const STREAMS: readonly Column<BusStreamStatus>[] = [
  { name: 'Stream', cell: ({ name }) => <b>{name}</b> },
  { name: 'Subjects', cell: ({ subjects }) => <code>{subjects}</code> },
  { name: 'Messages', number: true, cell: ({ messages }) => messages.toLocaleString('en') },
  { name: 'Size', number: true, cell: ({ bytes }) => byteWords(bytes) },
  {
    name: 'First … last',
    number: true,
    cell: ({ messages, firstSeq, lastSeq }) => (messages > 0 ? `${firstSeq} … ${lastSeq}` : '–'),
  },
  { name: 'Connected', number: true, cell: ({ followers }) => followers },
  { name: 'Durable', number: true, cell: ({ consumers }) => consumers },
]

const CONSUMERS: readonly Column<BusConsumer>[] = [
  { name: 'Consumer', cell: ({ name }) => <b>{shown(name)}</b> },
  { name: 'Lag', number: true, cell: ({ lag }) => many(lag, 'need') },
  {
    name: 'State',
    cell: ({ connections, activeAt }) =>
      connections > 0 ? (
        <span className="work nowrap">● connected</span>
      ) : (
        <span className="quiet">
          ○ away for <Age since={activeAt} />
        </span>
      ),
  },
  { name: 'Stream', cell: ({ stream }) => stream },
  { name: 'Filter', cell: ({ filter }) => <code>{shown(filter)}</code> },
  { name: 'In flight', number: true, cell: ({ inFlight }) => inFlight },
  { name: 'Sent again', number: true, cell: ({ redelivered }) => redelivered },
  { name: 'Missed', number: true, cell: ({ missed }) => many(missed, 'error') },
]

const HOOK_STATES = {
  ok: ['✓', 'work'],
  off: ['○', 'quiet'],
  retrying: ['◐', 'need'],
  failing: ['✖', 'error'],
} as const

const WEBHOOKS: readonly Column<WebhookStatus>[] = [
  { name: 'Webhook', cell: ({ name }) => <b>{shown(name)}</b> },
  {
    name: 'State',
    cell: ({ state, failingSince }) => {
      const [mark, tone] = HOOK_STATES[state]
      return (
        <span className={tone}>
          {mark} {state}
          {failingSince === null ? null : (
            <>
              {' for '}
              <Age since={failingSince} />
            </>
          )}
        </span>
      )
    },
  },
  {
    name: 'Last response',
    cell: ({ problem, lastStatus, lastError, lastAt }) => (
      <>
        {shown(problem ?? lastError ?? (lastStatus === null ? 'none yet' : String(lastStatus)))}
        {lastAt === null ? null : (
          <span className="quiet">
            {' '}
            <Age since={lastAt} /> ago
          </span>
        )}
      </>
    ),
  },
  { name: 'Waiting', number: true, cell: ({ backlog }) => many(backlog, 'need') },
  { name: 'Dead', number: true, cell: ({ dead }) => many(dead, 'error') },
  { name: 'Sent', number: true, cell: ({ delivered }) => shortNumber(delivered) },
  { name: 'URL', cell: ({ url }) => <code className="wraps">{shown(url)}</code> },
]

const CIRCUITS = {
  closed: ['✓ works', 'work'],
  'half-open': ['◐ tried again', 'need'],
  open: ['✖ paused', 'error'],
} as const

const HANDLERS: readonly Column<HandlerStatus>[] = [
  { name: 'Handler', cell: ({ id }) => <b>{shown(id)}</b> },
  {
    name: 'State',
    cell: ({ circuit, lastError, lastErrorAt }) => (
      <>
        <span className={CIRCUITS[circuit][1]}>{CIRCUITS[circuit][0]}</span>
        {lastError === null ? null : (
          <span className="quiet">
            {' '}
            {shown(lastError)}
            {lastErrorAt === null ? null : (
              <>
                , <Age since={lastErrorAt} /> ago
              </>
            )}
          </span>
        )}
      </>
    ),
  },
  { name: 'Calls', number: true, cell: ({ runs }) => shortNumber(runs) },
  { name: 'Failed', number: true, cell: ({ failures }) => many(failures, 'error') },
  { name: 'Blocked', number: true, cell: ({ blocks }) => blocks },
  {
    name: 'p50 / p99',
    number: true,
    cell: ({ p50Ms, p99Ms }) => (p50Ms === null ? '–' : `${tookWords(p50Ms)} / ${tookWords(p99Ms ?? p50Ms)}`),
  },
  { name: 'Events', cell: ({ events }) => shown(events.join(', ')) },
  { name: 'Runs', cell: ({ command }) => <code className="wraps">{shown(command)}</code> },
]
