/**
 * Calls from the page: `POST /api/call`. Everything else than these is refused, whoever asks: a page reads, marks, and
 * tries out. It never changes who answers hooks; and permissions are answered with a device's signature (answers.ts).
 */
import type { RpcRegistry } from '../../rpc/index.ts'
import { encodedAnswer, refusal } from './headers.ts'

const READS = [
  'status',
  'doctor',
  'counters',
  'coverage',
  'config.show',
  'sessions.list',
  'sessions.get',
  'sessions.why',
  'sessions.transcript',
  'sessions.usage',
  'sessions.files',
  'sessions.activity',
  'sessions.timeline',
  'sessions.changes',
  'files.recent',
  'events.list',
  'events.get',
  'events.page',
  'events.contexts',
  'insights',
  'search',
  'rules.list',
  'rules.why',
  'guards.list',
  'budgets.list',
  'approvals.list',
  'approvals.get',
  'bus.status',
  'bus.consumers',
  'bus.handlers',
  'bus.deadLetters',
  'bus.webhooks',
  'fleet.sessions',
  'schema.shapes',
  'schema.diff',
  'schema.drifts',
  'notify.log',
  'effort.list',
  'effort.get',
  'task.list',
  'fleet.status',
  'web.devices',
]

const ACTIONS = [
  'sessions.seen',
  'sessions.rename',
  'tmux.jump',
  'bus.deadLetters.requeue',
  'bus.deadLetters.drop',
  'schema.baseline',
  'rules.test',
  'rules.rehearse',
  'demo.start',
  'demo.stop',
]

export const PAGE_CALLS: ReadonlySet<string> = new Set([...READS, ...ACTIONS])

export async function pageCall(
  said: Readonly<Record<string, unknown>>,
  rpc: RpcRegistry,
  signal: AbortSignal,
): Promise<Response> {
  const { cmd, args = {} } = said
  if (typeof cmd !== 'string' || !PAGE_CALLS.has(cmd))
    return refusal(403, 'PERMISSION', 'The page may not make this call. Use the command line.')
  return encodedAnswer(await rpc.call({ cmd, args }, { signal }))
}
