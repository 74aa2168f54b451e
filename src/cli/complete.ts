/** The words that the completions ask for while somebody types; a file of its own, because it has to be quick. */
import { call, listApprovals } from '../client/index.ts'
import type { Places } from '../core/paths.ts'
import type { Command } from './command.ts'
import { out } from './terminal.ts'

const ASK_LIMIT_MS = 400 // somebody has just pressed Tab
const SAFE_WORD = /^[A-Za-z0-9][A-Za-z0-9_.@+-]*$/ // it ends up on a command line

/** Prints words, one a line; nothing when the daemon is away, and nothing on stderr ever. */
export const complete: Command = {
  name: 'complete',
  summary: 'What the completions ask for',
  usage: 'sessions|channels|approvals',
  takes: 1,
  options: {},
  examples: [{ line: 'gantry complete sessions', does: 'The names of all sessions, one a line' }],
  async run({ args, places }) {
    const signal = AbortSignal.timeout(ASK_LIMIT_MS)
    try {
      const words = await wordsOf(args[0], places, signal)
      const safe = words.filter((word) => SAFE_WORD.test(word))
      if (safe.length > 0) out(safe.join('\n'))
    } catch {
      // Whoever types sees that nothing is offered.
    }
    return 0
  },
}

async function wordsOf(what: string | undefined, places: Places, signal: AbortSignal): Promise<string[]> {
  switch (what) {
    case 'channels':
      return (await call(places, 'notify.test', { send: false }, { signal })).map(({ channel }) => channel)
    case 'approvals':
      return (await listApprovals(places, { signal })).approvals.map(({ id }) => id)
    default:
      return (await call(places, 'sessions.list', {}, { signal })).map(({ name }) => name)
  }
}
