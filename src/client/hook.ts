/**
 * The hook client in TypeScript: what `gantry hook <agent> [event]` runs, and the fallback for the native one without a C
 * compiler. native/gantry-hook.c does the same step for step; test/hook compares the two.
 *
 *   process.exit(await runHook(['claude', 'Stop']))
 *
 * Whatever goes wrong, the frame is spooled or its loss is reported, and the exit code is 0: a broken gantry must not break
 * an agent.
 */
import * as fs from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { type Places, places } from '../core/files/paths.ts'
import { selfPath } from '../core/processes/self.ts'
import { VERSION } from '../core/version.ts'
import { newId } from '../events/ids.ts'
import { NO_ROOM, NOWHERE, noteLoss, spool } from './spool.ts'
import * as wire from './wire.ts'

export const STDIN_LIMIT_MS = 5_000 // slow stdin must not hold the agent either
export const VALUE_LIMIT_BYTES = 1024 // an environment value is a fact, not content
export const ENV_LIMIT_BYTES = 48 * 1024 // leaves room for the rest of the header, even with everything escaped
export const REPLY_LINE_LIMIT_BYTES = 64 // three numbers, or one hold line
export const REPLY_PART_LIMIT_BYTES = 8 * 1024 * 1024 // for stdout and stderr each: as much as a payload
export const CONNECT_RETRY_MS = 2 // a full backlog clears as fast as the daemon accepts
export const START_PAUSE_MS = 3_000 // a starting daemon needs a moment to listen

const SOCKET_PATH_LIMIT_BYTES = process.platform === 'darwin' ? 103 : 107 // sun_path without its terminating zero

interface HookIo {
  /** The program that starts gantry and its first arguments. */
  readonly gantry?: readonly string[]
  /** Asks for a reply in the format of `bus emit` instead of the agent's. */
  readonly reply?: wire.HookHeader['reply']
}

/** Why there is no answer, and what a person can do about it. */
interface Failure {
  readonly what: string
  readonly fix: string
}

interface Answer {
  readonly exit: number
  readonly stdout: Buffer
  readonly stderr: Buffer
}

const SEE_DOCTOR = 'Find out why with: gantry doctor'
const AWAY: Failure = { what: 'daemon not running', fix: 'Start it with: gantry up' }
const UNSAFE: Failure = { what: "the daemon's socket or its folder is not private to you", fix: SEE_DOCTOR }
const LOST: Failure = {
  what: 'its home folder does not exist',
  fix: 'Set GANTRY_HOME or --home to an absolute path',
}
const UNREAD: Failure = {
  what: 'the answer cannot be written to stdout',
  fix: 'Try again',
}
const TOO_LONG: Failure = {
  what: "the path of the daemon's socket is too long",
  fix: 'Set a shorter GANTRY_HOME',
}
const BUSY: Failure = { what: 'the daemon did not accept the connection', fix: SEE_DOCTOR }
const LATE: Failure = { what: 'the daemon did not answer in time', fix: SEE_DOCTOR }
const HUNG_UP: Failure = { what: 'the daemon hung up before its answer was complete', fix: SEE_DOCTOR }
const GARBLED: Failure = { what: "the daemon's answer is invalid", fix: SEE_DOCTOR }

export async function runHook(argv: readonly string[], io: HookIo = {}): Promise<number> {
  process.umask(0o077)
  const micros = (performance.timeOrigin + performance.now()) * 1000
  const call = readArguments(argv)
  if ('exit' in call) {
    await write(call.exit === 0 ? 1 : 2, call.text)
    return call.exit
  }
  if (call.start) {
    const where = process.env.GANTRY_OFF ? undefined : whereabouts(call.home)
    if (where) startDaemon(where, io.gantry ?? [selfPath()])
    return 0
  }
  if (call.keep !== undefined) {
    const { payload, total } = await readStdin()
    await keep(whereabouts(call.home), call.agent, call.keep, total > payload.length ? undefined : payload)
    return 0
  }
  if (call.json === undefined && isTerminal()) {
    await write(2, "gantry hook: the payload comes on stdin. Try: echo '{}' | gantry hook claude Stop\n")
    return 0
  }
  const firstMs = decides(call) ? STDIN_LIMIT_MS : wire.STDIN_IDLE_MS
  const { payload, total } = call.json === undefined ? await readStdin(firstMs) : cut(Buffer.from(call.json))
  // For everything that gantry itself runs. After reading stdin: an agent must not write into a closed pipe.
  if (process.env.GANTRY_OFF && !call.required) return 0
  const header = describe(call, micros, payload.length, total, io.reply)
  const frame = wire.encodeFrame(header, payload)
  const where = whereabouts(call.home)

  const result = where ? await ask(where, call, frame) : LOST
  if ('exit' in result) {
    const isSaid = await write(1, result.stdout)
    await write(2, result.stderr)
    if (call.required && !isSaid) return block(UNREAD)
    return call.required && result.exit !== 0 ? 2 : result.exit // a failed hook has decided nothing
  }
  await keep(where, call.agent, header.id, frame)
  if (where && result === AWAY) startDaemon(where, io.gantry ?? [selfPath()])
  return call.required ? block(result) : 0
}

async function block({ what, fix }: Failure): Promise<number> {
  await write(2, `gantry: no decision (${what}). This hook is required, so the action is blocked. ${fix}\n`)
  return 2
}

/** node:tty takes twice the time of everything else here, so it is loaded only for a character device. */
function isTerminal(): boolean {
  try {
    return fs.fstatSync(0).isCharacterDevice() && (require('node:tty') as typeof import('node:tty')).isatty(0)
  } catch {
    return false
  }
}

// ---- the command line ----

interface Call {
  readonly agent: string
  readonly event?: string
  readonly json?: string
  readonly home?: string
  readonly required: boolean
  /** Not a hook: a plugin that talks to the daemon directly found none, and wants it started. */
  readonly start?: true
  /** Not a hook: a plugin cannot keep the frame with this id, which is complete on stdin. */
  readonly keep?: string
}

interface Text {
  readonly exit: number
  readonly text: string
}

const USAGE = `usage: gantry hook [--home DIR] [--required] [--version] [--help] <agent> [event] [json]
Passes one hook of a coding agent on to gantry. The payload comes on stdin, or as the last argument.
example: echo '{"hook_event_name":"Stop"}' | gantry hook claude Stop
`

function readArguments(argv: readonly string[]): Call | Text {
  const positional: string[] = []
  let home: string | undefined
  let required = false
  let start = false
  let keep: string | undefined
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? ''
    if (!arg.startsWith('-')) positional.push(arg)
    else if (arg === '--home') {
      home = argv[++i]
      if (!home) return usageError('--home needs a folder')
    } else if (arg === '--required') required = true
    else if (arg === '--start') start = true
    else if (arg === '--keep') {
      keep = argv[++i]
      if (!keep || !/^[0-9A-HJKMNP-TV-Z]{26}$/.test(keep)) return usageError('--keep needs an id')
    } else if (arg === '--version') return { exit: 0, text: `gantry hook ${VERSION}\n` }
    else if (arg === '--help') return { exit: 0, text: USAGE }
    else return usageError(`unknown option ${arg}`)
    if (positional.length > 3) return usageError('too many arguments')
  }
  const [agent, ...words] = positional
  // Codex's notify appends its JSON to the configured command; no event starts with a brace.
  const [event, json] = words.length === 1 && words[0]?.startsWith('{') ? [undefined, words[0]] : words
  if (start && agent !== undefined) return usageError('--start takes no arguments')
  if (start) return { agent: '', ...(home === undefined ? {} : { home }), required, start }
  if (agent === undefined) return usageError('the agent is missing')
  if (!/^[a-z0-9_-]{1,32}$/.test(agent)) return usageError(`invalid agent name: ${agent}`)
  if (event !== undefined && !/^[A-Za-z0-9_.:-]{1,64}$/.test(event))
    return usageError(`invalid event name: ${event}`)
  return {
    agent,
    ...(event === undefined ? {} : { event }),
    ...(json === undefined ? {} : { json }),
    ...(home === undefined ? {} : { home }),
    ...(keep === undefined ? {} : { keep }),
    required,
  }
}

/** Never exit code 2: it would block the agent. */
function usageError(what: string): Text {
  return { exit: 1, text: `gantry hook: ${what}\n${USAGE}` }
}

// ---- the frame ----

interface Payload {
  readonly payload: Buffer
  /** Bytes received; the payload may be only the first part. */
  readonly total: number
}

function cut(all: Buffer): Payload {
  return { payload: all.subarray(0, wire.PAYLOAD_LIMIT_BYTES), total: all.length }
}

function decides({ required, event }: Call): boolean {
  return required || (event !== undefined && wire.DECIDERS.has(event))
}

/**
 * Keeps what fits and drains the rest, so that the agent never writes into a closed pipe. A busy agent may need a while for
 * the first byte, and nobody could decide without it.
 */
async function readStdin(firstMs = wire.STDIN_IDLE_MS): Promise<Payload> {
  const kept: Buffer[] = []
  const end = performance.now() + STDIN_LIMIT_MS
  let total = 0
  for (let left = end - performance.now(); left > 0; left = end - performance.now()) {
    const idleMs = total === 0 ? firstMs : wire.STDIN_IDLE_MS
    const chunk = await within(Math.min(left, idleMs), readSome())
    if (!chunk?.length) break
    if (total < wire.PAYLOAD_LIMIT_BYTES) kept.push(chunk.subarray(0, wire.PAYLOAD_LIMIT_BYTES - total))
    total += chunk.length
  }
  return { payload: Buffer.concat(kept), total }
}

/** Empty at the end, and on an error, which for a hook is the same. */
async function readSome(): Promise<Buffer> {
  const room = Buffer.allocUnsafe(64 * 1024) // the capacity of a pipe
  for (;;) {
    const n = await new Promise<number>((done) => {
      fs.read(0, room, 0, room.length, null, (error, n) =>
        done(error?.code === 'EAGAIN' ? -1 : error ? 0 : n),
      )
    })
    if (n >= 0) return room.subarray(0, n)
    await Bun.sleep(1) // the agent made its end of the pipe non-blocking, and ours is the same pipe
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(undefined), ms)
    work.then((value) => {
      clearTimeout(timer)
      done(value)
    })
  })
}

function describe(
  call: Call,
  micros: number,
  len: number,
  total: number,
  reply: HookIo['reply'],
): wire.HookHeader {
  const { TMUX_PANE: pane, TMUX: tmux } = process.env
  return {
    v: wire.WIRE_VERSION,
    kind: 'hook',
    agent: call.agent,
    ...(call.event === undefined ? {} : { event: call.event }),
    id: newId(micros),
    at: Math.floor(micros / 1000),
    pid: process.pid,
    ppid: process.ppid,
    ...(pane ? { pane: shorten(pane) } : {}),
    ...(tmux ? { tmux: shorten(tmux) } : {}),
    env: allowedEnvironment(),
    client: VERSION,
    hold: true,
    ...(reply === undefined ? {} : { reply }),
    ...(total > len ? { cut: total } : {}),
    len,
  }
}

function allowedEnvironment(): Record<string, string> {
  const env: Record<string, string> = {}
  let used = 0
  for (const name of wire.ENV_ALLOW_LIST) {
    const value = process.env[name]
    if (value === undefined) continue
    const short = shorten(value)
    const size = Buffer.byteLength(`"${name}":${JSON.stringify(short)}`) + (used > 0 ? 1 : 0)
    if (used + size > ENV_LIMIT_BYTES) continue
    used += size
    env[name] = short
  }
  return env
}

/** Cuts between characters, never within one. */
function shorten(value: string): string {
  const bytes = Buffer.from(value)
  if (bytes.length <= VALUE_LIMIT_BYTES) return value
  let end = VALUE_LIMIT_BYTES
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

// ---- the daemon ----

/** Undefined if the home is relative to a deleted working folder, as after the removal of a worktree. */
function whereabouts(home: string | undefined): Places | undefined {
  try {
    const root = home ?? process.env.GANTRY_HOME
    if (root && !root.startsWith('xdg:') && !isAbsolute(root)) fs.statSync(process.cwd()) // Bun trusts PWD and would resolve against the deleted folder
    return places(process.env, home)
  } catch {
    return undefined
  }
}

/**
 * A client that waited in vain marks the socket by its mode, and the daemon removes the mark when it continues. Until then
 * clients with the same or less patience do not wait. But once a minute one tries briefly, in case the mark is outdated.
 */
async function ask(where: Places, call: Call, frame: Buffer): Promise<Answer | Failure> {
  const found = findSocket(where)
  if ('what' in found) return found
  const { path, stat } = found
  const isDecider = decides(call)
  const byDecider = (stat.mode & 0o777) === wire.DECIDER_GAVE_UP_MODE
  const byObserver = (stat.mode & 0o777) === wire.OBSERVER_GAVE_UP_MODE
  const mark = isDecider || byDecider ? wire.DECIDER_GAVE_UP_MODE : wire.OBSERVER_GAVE_UP_MODE
  let patience = isDecider ? wire.DECIDER_DEADLINE_MS : wire.OBSERVER_DEADLINE_MS
  let waits = true
  if (!call.required && (byDecider || (byObserver && !isDecider))) {
    const age = Date.now() - stat.mtimeMs
    waits = age < 0 || age >= wire.LOOK_AGAIN_MS
    patience = wire.OBSERVER_DEADLINE_MS
    if (waits) setMode(path, mark) // restarts the minute for all others
  }
  const result = waits
    ? await exchange(path, frame, patience)
    : ((await connect(path, { data() {} }, 0)) ?? LATE)
  if (waits && result === LATE) setMode(path, mark)
  if ('exit' in result && (byDecider || byObserver)) setMode(path, wire.SOCKET_MODE)
  return result
}

function setMode(socket: string, mode: number): void {
  try {
    const now = Date.now() / 1000
    fs.utimesSync(socket, now, now) // first, so that nobody ever sees an old mark
    fs.chmodSync(socket, mode)
  } catch {
    // Read-only disk: then every client waits for itself.
  }
}

function findSocket(where: Places): { readonly path: string; readonly stat: fs.Stats } | Failure {
  let missing = AWAY
  for (const path of [where.socket, where.socketLink]) {
    if (Buffer.byteLength(path) > SOCKET_PATH_LIMIT_BYTES) {
      if (path === where.socket) missing = TOO_LONG
      continue
    }
    try {
      const stat = isOursAlone(path) && isOursAlone(fs.realpathSync(path))
      return stat ? { path, stat } : UNSAFE
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') return UNSAFE
    }
  }
  return missing
}

/** Nobody else can have created this socket, or can replace it. */
function isOursAlone(path: string): fs.Stats | undefined {
  const me = process.geteuid?.()
  const socket = fs.statSync(path)
  const folder = fs.statSync(dirname(path))
  const isOurs = socket.isSocket() && socket.uid === me && folder.uid === me && (folder.mode & 0o022) === 0
  return isOurs ? socket : undefined
}

function exchange(path: string, frame: Buffer, patienceMs: number): Promise<Answer | Failure> {
  return new Promise((settle) => {
    const inbox = new Inbox()
    let sent = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(settle, ms, LATE)
    }
    const send = (socket: Bun.Socket<undefined>) => {
      for (let n = 1; n > 0 && sent < frame.length; sent += Math.max(n, 0))
        n = socket.write(frame.subarray(sent))
    }
    connect(path, {
      open(socket) {
        wait(patienceMs)
        send(socket)
      },
      drain: send,
      data(_, chunk) {
        const result = inbox.take(chunk, wait)
        if (result) settle(result)
      },
      // Once settled, these have no effect: a promise keeps its first value.
      close: () => settle(HUNG_UP),
      error: () => settle(HUNG_UP),
    }).then((failure) => failure && settle(failure))
  })
}

async function connect(
  path: string,
  socket: Bun.SocketHandler<undefined>,
  patienceMs = wire.CONNECT_DEADLINE_MS,
): Promise<Failure | undefined> {
  const end = performance.now() + patienceMs
  for (;;) {
    try {
      await Bun.connect({ unix: path, socket: { ...socket, connectError() {} } })
      return undefined
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return AWAY
      if (codeOf(error) !== 'ECONNREFUSED') return BUSY
      // Bun reports ECONNREFUSED for a full backlog, too; if it lasts, the daemon counts as gone.
      if (performance.now() >= end) return AWAY
      await Bun.sleep(CONNECT_RETRY_MS)
    }
  }
}

/** Assembles an answer from chunks. */
class Inbox {
  private line = Buffer.alloc(0)
  private answer: { exit: number; out: number; err: number } | undefined
  private readonly parts: Buffer[] = []
  private size = 0

  /** The answer or a failure once it is certain; a `hold` line is passed to `wait`. */
  take(chunk: Buffer, wait: (ms: number) => void): Answer | Failure | undefined {
    if (this.answer) return this.add(chunk)
    this.line = Buffer.concat([this.line, chunk])
    for (;;) {
      const end = this.line.subarray(0, REPLY_LINE_LIMIT_BYTES).indexOf('\n')
      if (end < 0) return this.line.length >= REPLY_LINE_LIMIT_BYTES ? GARBLED : undefined
      const text = this.line.toString('latin1', 0, end)
      this.line = this.line.subarray(end + 1)
      const hold = /^hold ([0-9]{1,9})$/.exec(text)
      if (!hold) return this.open(text) ?? this.add(this.line)
      wait(Math.min(Number(hold[1]), wire.HOLD_LIMIT_MS))
    }
  }

  private open(text: string): Failure | undefined {
    const numbers = /^([0-9]{1,3}) ([0-9]{1,7}) ([0-9]{1,7})$/.exec(text)
    const [exit = 0, out = 0, err = 0] = numbers?.slice(1).map(Number) ?? []
    if (!numbers || exit > 255 || Math.max(out, err) > REPLY_PART_LIMIT_BYTES) return GARBLED
    this.answer = { exit, out, err }
    return undefined
  }

  private add(chunk: Buffer): Answer | undefined {
    this.parts.push(chunk)
    this.size += chunk.length
    const { exit, out, err } = this.answer ?? { exit: 0, out: Number.POSITIVE_INFINITY, err: 0 }
    if (this.size < out + err) return undefined
    const bytes = Buffer.concat(this.parts)
    return { exit, stdout: bytes.subarray(0, out), stderr: bytes.subarray(out, out + err) }
  }
}

/** Not console.error, which adds colours on a terminal. */
/** False if nobody reads. */
async function write(fd: number, text: string | Buffer): Promise<boolean> {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) {
    try {
      done += fs.writeSync(fd, bytes, done)
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') await Bun.sleep(1)
      else if (codeOf(error) !== 'EINTR') return false
    }
  }
  return true
}

// ---- without the daemon ----

/** Spools the frame, or reports that the event is lost, as an incomplete one is. */
async function keep(
  where: Places | undefined,
  agent: string,
  id: string,
  frame: Buffer | undefined,
): Promise<void> {
  const loss = !where ? NOWHERE : frame ? spool(where, id, frame) : NO_ROOM
  if (!loss) return
  if (where) noteLoss(where, agent, id, loss)
  await write(2, `gantry: this event is lost (${loss.what}). The agent continues. ${loss.fix}\n`)
}

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = fs.constants

function startDaemon(where: Places, [program = '', ...args]: readonly string[]): void {
  if (process.env.GANTRY_NO_AUTOSTART) return
  try {
    if (fs.lstatSync(where.down, { throwIfNoEntry: false })) return // set by "gantry down", until "gantry up"
    fs.accessSync(program, fs.constants.X_OK)
    if (!isOurTurn(join(where.state, 'start.lock'))) return
    // Loaded only now: a hook that is answered does not need it.
    const { liftLimits } =
      require('../core/processes/limits.ts') as typeof import('../core/processes/limits.ts')
    const { daemonEnvironment } = require('./kept-environment.ts') as typeof import('./kept-environment.ts')
    liftLimits()
    // Gemini waits until every holder of its pipes is gone, so the daemon gets none of ours.
    Bun.spawn([program, ...args, 'up', '--foreground', '--quiet'], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore'],
      env: daemonEnvironment(where),
    }).unref()
  } catch {
    // The frame is in the spool, and the next hook tries again.
  }
}

/**
 * Only one of many concurrent hooks starts the daemon. There is no flock here: two that find the same old lock at the same
 * time both start one, and the daemon's own lock resolves that.
 */
function isOurTurn(lock: string): boolean {
  try {
    fs.closeSync(fs.openSync(lock, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600))
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false
  }
  const now = Date.now()
  const stat = fs.lstatSync(lock)
  // A time in the future means that the clock was set back: waiting for it could take forever.
  const age = now - stat.mtimeMs
  if (!stat.isFile() || (age >= 0 && age < START_PAUSE_MS)) return false
  fs.lutimesSync(lock, now / 1000, now / 1000)
  return true
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
