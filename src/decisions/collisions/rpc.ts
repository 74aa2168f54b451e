/** The call about files that sessions wrote lately. */
import type { CallHandlers, FileWriteView } from '../../rpc/index.ts'
import type { Session } from '../../sessions/state/index.ts'
import type { Write } from './recent-writes.ts'
import type { Collisions } from './service.ts'

interface CollisionCallParts {
  readonly collisions: Pick<Collisions, 'recent'>
  readonly session: (key: string) => Session | undefined
}

export function collisionCalls({ collisions, session }: CollisionCallParts) {
  return {
    'files.recent': async ({ path, limit }): Promise<FileWriteView[]> =>
      (await collisions.recent(path)).slice(0, limit).map((write) => view(write, session(write.session))),
  } satisfies Partial<CallHandlers>
}

function view(write: Write, session: Session | undefined): FileWriteView {
  const { path, at, tool, agentId, inside, remote } = write
  const { name = '', agent = '' } = remote ?? session ?? {}
  return {
    ...{ path, at, tool },
    session: { key: write.session, name, agent },
    ...(agentId === undefined ? {} : { agentId }),
    ended: remote === undefined && (session === undefined || session.endedAt !== undefined),
    ...(remote === undefined ? {} : { host: remote.host }),
    ...(inside === undefined ? {} : { repository: inside.id }),
    ...(inside?.root === undefined ? {} : { worktree: inside.root }),
  }
}
