/**
 * The text of notifications. Names and words come from agents and repositories: each is one line without control
 * characters.
 */
import { withoutUndefined } from '../core/without-undefined.ts'
import type { Session } from '../sessions/state/index.ts'
import { oneLine } from '../tmux/index.ts'
import type { Notification } from './channels/channel.ts'
import { isWaiting, type Occasion, type Reason } from './occasion.ts'

const NAME_COLUMNS = 40
const TITLE_COLUMNS = 100
const SAYS_COLUMNS = 240 // what a desktop shows without cutting it

const NEEDS: Readonly<Record<Reason, string>> = {
  permission: 'needs a permission',
  question: 'asks you something',
  plan: 'has a plan for you',
  elicitation: 'needs input for an MCP server',
  error: 'has failed',
  done: 'is done',
  budget: 'comes to the end of a budget',
  idle: 'waits for you',
  stale: 'has said nothing for 8 hours',
  rule: 'met a rule of yours',
}

export interface Location {
  readonly project?: string
  readonly branch?: string
}

export function messageFor(
  occasion: Occasion,
  session: Session,
  place: Location,
  withWords: boolean,
  now: number,
): Notification {
  const name = oneLine(session.name, NAME_COLUMNS)
  const project = oneLine(place.project ?? '', NAME_COLUMNS)
  const branch = oneLine(place.branch ?? '', NAME_COLUMNS)
  const where = [project, branch].filter(Boolean).join(' · ')
  const isOwners = occasion.reason === 'rule' // the words are those of its author, not of the agent
  const says = withWords || isOwners ? oneLine(wordsOf(occasion, session), SAYS_COLUMNS) : ''
  return {
    id: occasion.key,
    title: oneLine(`${name} ${NEEDS[occasion.reason]}`, TITLE_COLUMNS),
    body: [says, where].filter(Boolean).join('\n') || oneLine(session.agent, NAME_COLUMNS),
    reason: occasion.reason,
    urgent: isWaiting(occasion.reason),
    session: {
      name,
      agent: oneLine(session.agent, NAME_COLUMNS),
      ...(project === '' ? {} : { project }),
    },
    target: targetOf(session),
    at: now,
  }
}

/** The message of a test. */
export function testMessage(channel: string, target: Notification['target'], now: number): Notification {
  return {
    id: `test|${now}`,
    title: 'gantry: this is a test',
    body: `The channel ${oneLine(channel, NAME_COLUMNS)} works.`,
    reason: 'permission',
    urgent: true,
    session: { name: 'test', agent: 'gantry' },
    target,
    at: now,
  }
}

/** A summary of the turn may arrive a moment after its end. */
function wordsOf({ reason, says, since }: Occasion, session: Session): string {
  const { summary, lastMessage = '' } = session
  if (reason === 'done') return summary && summary.at >= since ? summary.text : lastMessage
  if (reason === 'error') return [says, session.error?.message].filter(Boolean).join(': ')
  return says
}

function targetOf({ pane, tmux, pid }: Session): Notification['target'] {
  return withoutUndefined({ pane, tmux, pid })
}
