/**
 * Claude Code shows the permission dialog of its main thread, and of a sub-agent that it waits for, while the
 * PermissionRequest hook runs (2.1.325): a person's "yes" beats a hook that takes longer, and the answer of a hook closes
 * the dialog. For a sub-agent in the background, which is the default there, and for a teammate it shows nothing before the
 * hook has ended.
 */
import type { HookEvent } from '../../events/index.ts'

/**
 * Where nobody attends, as with `-p` or an SDK, there is no dialog, and the run would stand still for as long as the hook
 * takes. 2.0.77 does not say whether somebody attends, and nobody looked at what it shows meanwhile.
 */
export function permissionPrompt({ client }: HookEvent, isWaitedFor: boolean): 'concurrent' | 'after-hook' {
  const { CLAUDE_CODE_ENTRYPOINT: entry, CLAUDE_CODE_SESSION_ATTENDED: attended } = client.env
  return isWaitedFor && entry === 'cli' && attended === '1' ? 'concurrent' : 'after-hook'
}
