/** Files that sessions wrote lately. */
import { z } from 'zod'
import { openCall } from '../definition.ts'

/** One session's last write of one file. */
export interface FileWriteView {
  /** Absolute on this host; of another host, the path inside the repository. */
  readonly path: string
  readonly at: number
  readonly tool: string
  readonly session: { readonly key: string; readonly name: string; readonly agent: string }
  /** The sub-agent that wrote it. */
  readonly agentId?: string
  /** It has ended, so nobody collides with it. */
  readonly ended: boolean
  /** Another host of the fleet. */
  readonly host?: string
  /** Address of the repository's remote, or its .git folder. */
  readonly repository?: string
  readonly worktree?: string
}

export const fileCalls = {
  'files.recent': openCall({
    summary:
      'Who wrote a file, or the files below a folder, within `collisions.within_minutes`; newest first',
    args: z.strictObject({
      path: z.string().startsWith('/').max(4096).optional().describe('absolute'),
      limit: z.int().min(1).max(1000).default(200),
    }),
    result: z.custom<FileWriteView[]>(),
    example: { path: '/work/app/src/main.ts' },
  }),
}
