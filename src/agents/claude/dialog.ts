/**
 * Claude Code shows its permission dialog while the PermissionRequest hook runs (2.1.325): a person's "yes" beats a hook
 * that takes longer, and the answer of a hook closes the dialog.
 */
import type { HookEvent } from '../../events/index.ts'

/**
 * Where nobody attends, as with `-p` or an SDK, there is no dialog, and the run would stand still for as long as the hook
 * takes. 2.0.77 does not say whether somebody attends, and nobody looked at what it shows meanwhile.
 */
export function dialog({ client }: HookEvent): 'meanwhile' | 'after' {
  const { CLAUDE_CODE_ENTRYPOINT: entry, CLAUDE_CODE_SESSION_ATTENDED: attended } = client.env
  return entry === 'cli' && attended === '1' ? 'meanwhile' : 'after'
}
