/** Commands about the bus: streams, consumers, handlers, webhooks. */
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { OWN_AGENT } from '../../events/names.ts'
import { type Command, command, define, flag } from '../framework/define.ts'
import { filter, json, jsonList, stream } from '../framework/options.ts'

export const subscribe = define({
  name: 'bus subscribe',
  summary: 'Print the messages of a stream as they come',
  options: {
    stream,
    filter,
    since: {
      kind: 'position',
      help: 'Start at a sequence (1700), a time span ago (10m), an ISO time, or "all"',
    },
    durable: {
      kind: 'consumer',
      short: 'd',
      help: 'Use a durable consumer of this name: each message is acknowledged once it is printed',
    },
    fleet: flag('Read the stream on NATS, which has the messages of all hosts'),
    count: { kind: 'count', short: 'n', help: 'Exit after this many messages' },
    json: flag('Print one JSON object per line; "data" is the payload as the agent sent it'),
  },
  examples: {
    'gantry bus subscribe': 'Prints every event of every agent, live',
    'gantry bus subscribe --filter=Stop --json': 'Prints each end of a turn, for a program',
    'gantry bus subscribe --durable reports --since all --json':
      'Resumes where it stopped, also after a restart of either side; a new consumer starts with the oldest message',
    'gantry bus subscribe --stream sessions --filter blocked':
      'Prints each session that starts to wait for you',
    'gantry bus subscribe --fleet --filter Stop': 'Prints each end of a turn on any host',
  },
})

export const watch = define({
  name: 'bus watch',
  summary: 'Watch a stream live, with rates',
  options: {
    stream,
    filter,
    plain: flag('Print one line per message, also on a terminal'),
  },
  examples: {
    'gantry bus watch': 'Shows every event, and the rate per second',
    'gantry bus watch --stream decisions': 'Shows what was allowed, asked and denied',
  },
})

export const status = define({
  name: 'bus status',
  summary: 'Show the streams, their readers, and problems',
  shows: 'config',
  options: { json },
  examples: {
    'gantry bus status': 'Messages, bytes and readers of each stream, and problems',
    'gantry bus status --json | jq ".streams[0].lastSeq"': 'Prints the newest sequence',
  },
})

export const consumers = define({
  name: 'bus consumers',
  summary: 'List durable consumers and their lag',
  options: {
    delete: { kind: 'consumer', help: 'Delete this consumer and its position' },
    stream: { ...stream, help: 'The stream of the consumer to delete' },
    json: jsonList,
  },
  examples: {
    'gantry bus consumers': 'Lists who reads what, and how far behind each is',
    'gantry bus consumers --json | jq ".[] | select(.lag > 100) | .name"': 'Finds who is behind',
    'gantry bus consumers --delete reports': 'Deletes the consumer "reports"',
  },
})

export const emit = define({
  name: 'bus emit',
  summary: 'Emit a hook or an event of your own',
  blocksByExit2: true,
  options: {
    hook: {
      kind: 'type',
      value: 'name',
      help: 'Emit a hook with its JSON on stdin; exit 2 if it is blocked',
    },
    event: { kind: 'text', value: 'name', help: 'Emit an event of your own' },
    payload: { kind: 'text', value: 'json', help: 'The payload of --event, an object; "-" reads stdin' },
    agent: {
      kind: 'agent',
      help: `Set its agent (default: ${DEFAULT_AGENT} for hooks, ${OWN_AGENT} for events)`,
    },
    json: flag('Print id and sequence of --event as JSON'),
  },
  oneOf: { names: ['hook', 'event'], required: true },
  examples: {
    'gantry bus emit --hook Stop < payload.json':
      'For a hook command: prints context on stdout, a block as JSON on stderr with exit 2',
    'gantry bus emit --event DeployDone --payload \'{"ref":"v1.2"}\'':
      'Sends it to subscribers and handlers of DeployDone; prints its id',
  },
})

export const register = define({
  name: 'bus register',
  summary: 'Register a command to handle events',
  options: {
    id: { kind: 'handler', required: true, help: 'Its name; replaces a handler of the same name' },
    events: {
      kind: 'type',
      value: 'types',
      required: true,
      help: 'Event types, comma-separated; "*" for all',
    },
    command: { kind: 'text', value: 'command', required: true, help: 'Run by sh, with the event on stdin' },
    priority: { kind: 'count', least: 0, most: 1000, default: 50, help: 'Lower runs first' },
    json: flag('Print the handler as JSON'),
  },
  examples: {
    "gantry bus register --id guard --events PreToolUse --command '/home/me/guard.sh'":
      'The script reads the event and may print {"block":true,"reason":"…"}',
    "gantry bus register --id tell --events Stop,Notification --command 'curl -s --data-binary @- http://127.0.0.1:9000/'":
      'Forwards the end of a turn and each notification',
  },
})

export const unregister = define({
  name: 'bus unregister',
  summary: 'Remove a handler',
  args: [
    { name: 'id', kind: 'handler', required: true, missing: 'Which one? "gantry bus handlers" lists them.' },
  ],
  options: { json: flag('Print its id as JSON') },
  examples: { 'gantry bus unregister guard': 'Removes it for good, also after a restart' },
})

export const handlers = define({
  name: 'bus handlers',
  summary: 'List the handlers of events',
  options: { json: jsonList },
  examples: {
    'gantry bus handlers': 'Lists them by priority, with runs, failures and durations',
  },
})

export const natsInfo = define({
  name: 'bus nats-info',
  summary: 'Show the address and the token of the NATS server',
  shows: 'config',
  options: { json: flag('Print the content of nats-info.json') },
  examples: {
    'gantry bus nats-info': 'Shows address, token, stream and subjects',
    'nats --server "$(gantry bus nats-info --json | jq -r .url)" --token …': 'Connects another client',
  },
})

export const deadLetters = define({
  name: 'bus dead-letters',
  summary: 'List undeliverable messages; requeue or drop them',
  options: {
    json: jsonList,
    requeue: { kind: 'text', value: 'id', help: 'Send this one again; "all" sends all of them' },
    drop: { kind: 'text', value: 'id', help: 'Drop this one; "all" drops all of them' },
  },
  oneOf: { names: ['requeue', 'drop'] },
  examples: {
    'gantry bus dead-letters': 'Lists what was not accepted, by whom, and why',
    'gantry bus dead-letters --requeue all': 'Sends them again, once the cause is fixed',
  },
})

export const webhooks = define({
  name: 'bus webhooks',
  summary: 'List webhooks, and test one',
  shows: 'config',
  args: [
    { name: 'action', kind: 'choice', choices: ['test'] },
    { name: 'name', kind: 'webhook' },
  ],
  options: { json },
  examples: {
    'gantry bus webhooks': 'Shows state, last response, backlog and failures of each',
    'gantry bus webhooks test ci':
      'Sends a test message and shows the response; exit 1 if it was not accepted',
  },
})

export const commands: readonly Command[] = [
  command(subscribe, () => import('./subscribe.ts')),
  command(watch, () => import('./watch.ts')),
  command(status, () => import('./status.ts')),
  command(consumers, () => import('./consumers.ts')),
  command(emit, () => import('./emit.ts')),
  command(register, () => import('./register.ts'), 'register'),
  command(unregister, () => import('./register.ts'), 'unregister'),
  command(handlers, () => import('../decisions/handlers.ts')),
  command(natsInfo, () => import('./nats-info.ts')),
  command(deadLetters, () => import('./dead-letters.ts')),
  command(webhooks, () => import('./webhooks.ts')),
]
