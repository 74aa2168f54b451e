/** Problems between gantry and NATS, each with a fix. */
import { GantryError, messageOf } from '../../core/errors.ts'
import { isTooOld, OLDEST_SERVER } from './server-config.ts'

/** Where the bus logs; the daemon's log is one. */
export interface BusLog {
  info(room: string, message: string): void
  warn(room: string, message: string): void
  error(room: string, message: string): void
}

export interface BusProblem {
  readonly level: 'warn' | 'fail'
  readonly message: string
  readonly fix?: string
}

/** A problem as an exception. */
export class BusError extends Error {
  readonly problem: BusProblem

  constructor(message: string, fix: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'BusError'
    this.problem = { level: 'fail', message, fix }
  }
}

/** Merges problems that several streams share, such as a full disk. */
export function distinct(problems: readonly BusProblem[]): BusProblem[] {
  return [...new Map(problems.map((one) => [one.message, one])).values()]
}

export interface Where {
  readonly url: string
  readonly managed: boolean
  /** The log of the server, if it is ours. */
  readonly log: string
}

/** The server answers, but cannot be used. */
export function unusable(
  info: { version: string; jetstream?: boolean | undefined; headers?: boolean | undefined },
  where: Where,
): BusError | undefined {
  if (isTooOld(info.version)) {
    return new BusError(
      `the NATS server at ${where.url} is version ${info.version}; gantry needs ${OLDEST_SERVER} or newer`,
      'Upgrade that server, or set another one in nats.url.',
    )
  }
  if (!info.headers) {
    return new BusError(
      `the NATS server at ${where.url} has headers turned off`,
      'Remove no_header_support from its configuration.',
    )
  }
  if (info.jetstream === true) return undefined
  return new BusError(
    `JetStream is off on the NATS server at ${where.url}`,
    'Start it with -js, or with a jetstream block in its configuration.',
  )
}

/** Why there is no connection. */
export function connectionProblem(error: unknown, where: Where): BusProblem {
  if (error instanceof BusError) return error.problem
  if (error instanceof GantryError) return { level: 'fail', message: error.message }
  const said = (message: string, fix: string): BusProblem => ({ level: 'fail', message, fix })
  const text = messageOf(error)
  if (where.url === '')
    return said(`nats-server cannot be started: ${text}`, 'Look at the folder state/nats.')
  if (nameOf(error) === 'AuthorizationError') {
    return said(
      `the NATS server at ${where.url} refuses gantry: ${text}`,
      'Set the right token in BD_DAEMON_TOKEN or nats.token, or nats.user, nats.nkey_file, nats.creds_file.',
    )
  }
  if (nameOf(error) === 'TimeoutError') {
    return said(`the NATS server at ${where.url} does not answer`, lookAt(where))
  }
  if (/refused|ECONNREFUSED/.test(text)) return said(`no NATS server listens at ${where.url}`, lookAt(where))
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) {
    return said(
      `the host name of the NATS server at ${where.url} cannot be resolved: ${text}`,
      'Correct nats.url.',
    )
  }
  if (/certificate|self.signed|SSL|TLS|\btls\b/i.test(text)) {
    return said(
      `the NATS server at ${where.url} and gantry do not trust each other: ${text}`,
      'Set nats.tls_ca to the authority of its certificate, and nats.tls_cert and nats.tls_key if it asks for yours.',
    )
  }
  return said(`no connection to the NATS server at ${where.url}: ${text}`, lookAt(where))
}

/** Seen with 2.9: after a failed write the server answers nobody, even when there is space again. */
const SILENT_STREAM =
  'See the log and the disk of that server. If its disk was full, restart it once there is space.'

/** Why a stream accepts nothing although the connection works. */
export function streamProblem(error: unknown, stream: string, where: Where): BusProblem {
  if (error instanceof BusError) return error.problem
  const said = (message: string, fix: string): BusProblem => ({ level: 'fail', message, fix })
  const text = messageOf(error)
  if (isDenied(error)) {
    return said(
      `gantry may not use the stream ${stream}: ${text}`,
      'Give its user the permissions in docs/bus-nats.md.',
    )
  }
  if (nameOf(error) === 'TimeoutError') {
    const fix = where.managed ? lookAt(where) : SILENT_STREAM
    return said(`the stream ${stream} at ${where.url} does not answer`, fix)
  }
  if (
    isNoResponder(error, '$JS.API.') ||
    (nameOf(error) === 'JetStreamNotEnabled' && !isNoResponder(error))
  ) {
    return said(`JetStream is off for the account of gantry at ${where.url}`, 'Turn it on for that account.')
  }
  switch (apiCode(error)) {
    case 10065:
      return said(
        `another stream has the subjects of ${stream}`,
        `Remove them from that stream ("nats stream ls" shows them); gantry then makes ${stream} by itself.`,
      )
    case 10060:
      return said(
        `messages for ${stream} would go to another stream`,
        `Remove those subjects from that stream, or delete ${stream}; gantry makes it again.`,
      )
    case 10023:
    case 10028:
    case 10047:
    case 10077:
      return said(
        `the NATS server has no room for ${stream}: ${text}`,
        'Free disk space, or raise its JetStream limits.',
      )
    case 10005:
    case 10074:
      return said(
        `the cluster cannot hold ${stream}: ${text}`,
        'Start the missing servers, or lower nats.replicas to how many there are.',
      )
  }
  if (isNoResponder(error)) {
    return said(
      `nobody answers for the stream ${stream} at ${where.url}`,
      'gantry creates it again; in a cluster it may have no leader yet.',
    )
  }
  return said(`${stream}: ${text}`, lookAt(where))
}

/** This message will never be accepted; others may be. */
export function isHopeless(error: unknown): boolean {
  const code = apiCode(error)
  return /max_payload size exceeded/.test(messageOf(error)) || code === 10054 || code === 10097
}

/** The stream answered, with an error. */
export function isRefusal(error: unknown): boolean {
  return apiCode(error) !== undefined
}

/** The connection is gone, which link.ts reports. */
export function isDisconnect(error: unknown): boolean {
  return (
    nameOf(error) === 'ClosedConnectionError' || /^connection (closed|disconnected)/.test(messageOf(error))
  )
}

export function isSilence(error: unknown): boolean {
  return nameOf(error) === 'TimeoutError'
}

/** Nobody is there for the request, such as a hub that is away. */
export function isUnattended(error: unknown): boolean {
  return isNoResponder(error) || nameOf(error) === 'JetStreamNotEnabled'
}

export function isDenied(error: unknown): boolean {
  return causes(error).some((one) => nameOf(one) === 'PermissionViolationError')
}

export function isRefusedLogin(error: unknown): boolean {
  return nameOf(error) === 'AuthorizationError'
}

function isNoResponder(error: unknown, prefix = ''): boolean {
  return causes(error).some(
    (one) =>
      nameOf(one) === 'NoResponders' && String((one as { subject?: string }).subject).startsWith(prefix),
  )
}

function lookAt(where: Where): string {
  return where.managed
    ? `See ${where.log}; gantry starts it again by itself.`
    : 'Start it, or correct nats.url; gantry tries again by itself.'
}

function apiCode(error: unknown): number | undefined {
  return nameOf(error).endsWith('ApiError') || nameOf(error) === 'StreamNotFoundError'
    ? (error as { code?: number }).code
    : undefined
}

function causes(error: unknown): unknown[] {
  return error instanceof Error && error.cause !== undefined ? [error, ...causes(error.cause)] : [error]
}

/** By name: this file is used without NATS, and must not load its packages. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}
