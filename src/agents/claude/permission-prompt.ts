/**
 * Claude Code 2.1.325 shows the permission dialog of its main thread, and of a sub-agent that it waits for, while the
 * PermissionRequest hook runs: a person's "yes" beats a slower hook, and a hook's answer closes the dialog. For a
 * background sub-agent, which is the default, and for a teammate it shows the dialog only after the hook.
 */
import type { HookEvent } from '../../events/index.ts'

/**
 * Unattended runs, as with `-p` or an SDK, have no dialog and would block for as long as the hook takes. 2.0.77 does not
 * report whether anyone attends, and its dialog was not examined.
 */
export function permissionPrompt({ client }: HookEvent, isWaitedFor: boolean): 'concurrent' | 'after-hook' {
  const { CLAUDE_CODE_ENTRYPOINT: entry, CLAUDE_CODE_SESSION_ATTENDED: attended } = client.env
  return isWaitedFor && entry === 'cli' && attended === '1' ? 'concurrent' : 'after-hook'
}
