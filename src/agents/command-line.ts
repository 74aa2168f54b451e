/**
 * Command lines by which agents start the hook client. Each may stay in somebody's settings for years: Codex asks for trust
 * again if one byte changes, and each must do nothing once the client is gone.
 */
import { quoted } from '../core/text/text.ts'

/** The installed hook client. */
export interface HookClient {
  /** Absolute and stable: upgrades replace the file in place. */
  readonly path: string
  /** gantry's home, which no environment may change. Only installs of the first release lack it. */
  readonly home?: string
}

/** The current form, and the form of the first release. */
export function formsOf(client: HookClient): readonly HookClient[] {
  return client.home?.startsWith('xdg:') ? [client, { path: client.path }] : [client]
}

/** For a hook that may wait for an approval: 600 s in the client, plus a minute for a slow agent. */
export const HELD_S = 660
/** For a hook that only observes: the client ends within 5 s, even if stdin is slow and the daemon is stuck. */
export const WATCHING_S = 30

/** For agents that start programs without a shell. */
export function clientArgs(client: HookClient, agent: string, event: string): string[] {
  return [...(client.home === undefined ? [] : ['--home', client.home]), agent, event]
}

/** For agents that use a shell (sh, bash, dash, zsh or fish): does nothing if the client is gone. */
export function guardedCommand(client: HookClient, agent: string, event: string): string {
  return `${guard(client)}; exec ${invocation(client, agent, event)}`
}

/**
 * For agents that use bash and treat every exit code except 0 as a refusal. A client that can no longer start, for example
 * in a home shared with another platform, must not block every tool. Only exit code 2 is a real refusal.
 */
export function forgivingCommand(client: HookClient, agent: string, event: string): string {
  return `${guard(client)}; ${invocation(client, agent, event)} || exit $(( $? == 2 ? 2 : 0 ))`
}

export function invocation(client: HookClient, agent: string, event: string): string {
  const home = client.home === undefined ? '' : ` --home ${quoted(client.home)}`
  return `${quoted(client.path)}${home} ${agent} ${event}`
}

/**
 * Whether a command is exactly what one of the functions above writes for this client, for any event. A command that merely
 * mentions the client is not ours.
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
