/** Builds the context of one event from stored rows and its session. */
import { type EventContext, type FileChange, type GitFacts, keyOf } from '../../events/index.ts'
import type { Session } from '../../sessions/state/index.ts'
import type { ContextSpan, Store } from '../../store/index.ts'
import { type EventSummary, transactionIdOf } from './event-summary.ts'

const MAX_EDITED = 500

interface ContextParts {
  readonly store: Store
  session(key: string): Session | undefined
}

/** `span` and `files`: optional, if the caller has them already. */
export function contextOf(
  event: EventSummary,
  { store, session }: ContextParts,
  span = spanFor(event, store),
  files: readonly FileChange[] = filesOf(event, store),
): EventContext {
  const { agentId, sessionId } = event
  const whose = sessionId === '' ? undefined : session(keyOf(event))
  const promptId = event.turnId ?? span?.promptId
  const parent = agentId === undefined ? whose?.parentSessionId : sessionId
  const edited = editedFiles(event, store)
  return {
    transactionId: transactionIdOf(event),
    ...(promptId ? { promptId } : {}),
    ...(sessionId === '' ? {} : { conversationId: whose?.conversationId ?? sessionId }),
    ...(parent === undefined ? {} : { parentSessionId: parent }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(span?.projectDir ? { project_dir: span.projectDir } : {}),
    ...(span?.git ? { git: JSON.parse(span.git) as GitFacts } : {}),
    ...(whose ? { sessionName: whose.name } : {}),
    ...(files.length === 0 ? {} : { files }),
    ...(edited.length === 0 ? {} : { editedFiles: edited }),
  }
}

/** A sub-agent without a row of its own has its session's context. */
function spanFor(
  { agent, sessionId, agentId, seq }: EventSummary,
  { contexts }: Store,
): ContextSpan | undefined {
  if (sessionId === '') return undefined
  const own = agentId === undefined ? undefined : contexts.at(agent, sessionId, agentId, seq)
  return own ?? contexts.at(agent, sessionId, '', seq)
}

function filesOf({ type, seq }: EventSummary, { fileChanges }: Store): FileChange[] {
  return type === 'PostToolUse' ? (fileChanges.ofEvent(seq) as FileChange[]) : []
}

function editedFiles({ type, agent, sessionId, agentId, seq }: EventSummary, store: Store): string[] {
  if (type !== 'Stop' || agentId !== undefined || sessionId === '') return []
  const began = store.contexts.promptBegan(agent, sessionId, seq)
  return store.fileChanges.ofSession(agent, sessionId, began, seq, MAX_EDITED).map(({ path }) => path)
}
