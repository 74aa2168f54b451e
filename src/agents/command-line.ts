/**
 * How agents start the hook client. Every line here may stand in somebody's settings for years: Codex asks for trust
 * again when one byte of it changes, and all of them must do nothing at all once the client is gone.
 */
import { quoted } from '../core/text/text.ts'

/** The installed hook client. */
export interface HookClient {
  /** Absolute and stable: upgrades replace the file in place. */
  readonly path: string
  /** Where gantry lives, which no environment may change; only installs of the first release left it out. */
  readonly home?: string
}

/** As it is written now, and as it was. */
export function formsOf(client: HookClient): readonly HookClient[] {
  return client.home?.startsWith('xdg:') ? [client, { path: client.path }] : [client]
}

/** A hook that may be held for an approval: 600 s in the client, then a minute for the agent's own slowness. */
export const HELD_S = 660
/** A hook that only watches: the client is done in 5 s even when its stdin trickles and the daemon is stuck. */
export const WATCHING_S = 30

/** For agents that start programs without a shell. */
export function clientArgs(client: HookClient, agent: string, event: string): string[] {
  return [...(client.home === undefined ? [] : ['--home', client.home]), agent, event]
}

/** For agents that use a shell, be it sh, bash, dash, zsh or fish: nothing happens when the client is gone. */
export function guardedCommand(client: HookClient, agent: string, event: string): string {
  return `${guard(client)}; exec ${invocation(client, agent, event)}`
}

/**
 * For agents that use bash and take every exit code but 0 for a no. A client that cannot start any more, as in a
 * home shared with another kind of machine, must not block every tool there; 2 is the only no that is meant.
 */
export function forgivingCommand(client: HookClient, agent: string, event: string): string {
  return `${guard(client)}; ${invocation(client, agent, event)} || exit $(( $? == 2 ? 2 : 0 ))`
}

export function invocation(client: HookClient, agent: string, event: string): string {
  const home = client.home === undefined ? '' : ` --home ${quoted(client.home)}`
  return `${quoted(client.path)}${home} ${agent} ${event}`
}

/**
 * Whether a command is exactly what one of the makers above writes for this client, with any event in its place. A
 * command that merely mentions the client is never taken for ours.
 */
export function isOurCommand(command: unknown, client: HookClient, agent: string): boolean {
  if (typeof command !== 'string') return false
  const makers = formsOf(client).flatMap((form) =>
    [guardedCommand, forgivingCommand].map((make) => make(form, agent, '\n')),
  )
  return makers.some((made) => {
    const [before = '', after = ''] = made.split('\n')
    const event = command.slice(before.length, command.length - after.length)
    return command === `${before}${event}${after}` && /^[A-Za-z.]+$/.test(event)
  })
}

function guard(client: HookClient): string {
  return `test -x ${quoted(client.path)} || exit 0`
}
