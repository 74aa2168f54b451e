/**
 * gantry's plugin for opencode (seen on 1.18.33). MIT. It runs inside opencode and forwards events to gantry, one frame per
 * event over gantry's Unix socket. `gantry install opencode` puts a copy into opencode's plugin folder. It throws only to
 * deny, and makes opencode wait only for a decision.
 *
 * Not forwarded, although there are hooks: chat.params and chat.headers (they contain the provider's API key), the whole
 * conversation before each request, tool definitions, and the environment of shells.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Filled in by the installer: the hook client, and its home, so that no project's environment can change it. */
const INSTALLED_CLIENT = '__GANTRY_CLIENT__'
const INSTALLED_HOME = '__GANTRY_HOME__'
const INSTALLED_VERSION = '__GANTRY_VERSION__'
/** In a bundle: the copy that `gantry install` makes. Where that is, this one stands down. */
const INSTALLED_COPY = '__GANTRY_COPY__'

/** Kilo Code is built on opencode, and has this plugin under its own name. */
const AGENT = 'opencode'

// The same numbers as in src/client/wire.ts and src/client/hook.ts; plugin.test.ts compares them.
const PAYLOAD_LIMIT_BYTES = 8 * 1024 * 1024
const OBSERVER_DEADLINE_MS = 250
const DECIDER_DEADLINE_MS = 5_000
const HOLD_LIMIT_MS = 600_000
const VALUE_LIMIT_CHARS = 1024
const REPLY_LINE_LIMIT_BYTES = 64
const GRACE_MS = 20
const SPOOL_FREE_BYTES = 64 * 1024 * 1024
const SPOOL_FOLDER_BYTES = 4 * 1024 * 1024
const SPOOL_FRAMES = 50_000

const START_PAUSE_MS = 3_000
const SOCKET_MODE = 0o600
const OBSERVER_GAVE_UP_MODE = 0o700
const DECIDER_GAVE_UP_MODE = 0o710
const LOOK_AGAIN_MS = 60_000

const LANES = 64 // concurrent frames without a waiting caller
const QUEUE_LIMIT = 1024 // frames that wait for a lane; more go to the spool
const SESSION_LIMIT = 1_000 // sessions with remembered state
/**
 * Comes by the hundred, and message.part.updated repeats its content: the only event that may be lost.
 */
const BURSTY = 'message.part.delta'

const ENV_NAMES =
  'AGENT_ID GANTRY_RUN_ID ITERM_SESSION_ID KITTY_WINDOW_ID PWD SSH_CONNECTION SSH_TTY STY TERM_PROGRAM WEZTERM_PANE ' +
  'WT_SESSION ZELLIJ_PANE_ID ZELLIJ_SESSION_NAME'

/** The only error that may leave a hook: opencode then aborts the action. */
class Denial extends Error {}

const UNDECIDED =
  'gantry held this call for a decision and went away before it was made, so the call was not run. ' +
  'Start gantry again with `gantry up`, then retry.'

/** In a terminal, 1.18.33 runs plugins in a separate worker. */
const IS_TERMINAL = /[\\/]tui[\\/]worker\.\w+$/.test(process.argv[1] ?? '')
const IS_RUN = process.argv[2] === 'run'

/** The only export, because opencode calls everything that a plugin exports. */
export async function GantryPlugin({ client, directory, worktree, project, serverUrl }) {
  if (process.env.GANTRY_OFF) return {} // gantry itself runs this opencode
  if (isAbsolute(INSTALLED_COPY) && fs.existsSync(INSTALLED_COPY)) return {}
  const daemon = connection(places(process.env))
  const sessions = new Map()
  const sending = new Set()
  const queue = []
  /** Context window of each model. */
  const windows = new Map()
  let version = process.env.OPENCODE_VERSION

  /**
   * State of a session: its root and agent if it is a child, and context for its model.
   */
  function sessionOf(id) {
    const session = sessions.get(id) ?? { always: [], turn: [] }
    sessions.delete(id)
    sessions.set(id, session)
    if (sessions.size > SESSION_LIMIT) sessions.delete(sessions.keys().next().value)
    return session
  }

  function learn({ type, properties }) {
    const info = type.startsWith('session.') ? properties?.info : undefined
    if (info?.version) version = info.version
    if (info?.parentID) {
      const parent = sessions.get(info.parentID)
      Object.assign(sessionOf(info.id), { root: parent?.root ?? info.parentID, agent: info.agent })
    }
    if (type === 'session.created' && info?.id) sessionOf(info.id)
    if (type === 'session.idle' && sessions.has(properties?.sessionID))
      sessionOf(properties.sessionID).turn = []
  }

  /**
   * `run` and the terminal create a conversation only for a prompt, and take a moment to process it; others (`acp`,
   * `serve`) may create one ahead.
   */
  function isPrompted({ parentID, title }) {
    return (IS_TERMINAL || IS_RUN) && !parentID && String(title).startsWith('New session')
  }

  /** Facts that opencode does not send with the event. */
  function known({ type, properties: { info } = {} }) {
    if (type === 'session.created' && isPrompted(info ?? {})) return { prompted: true }
    const contextWindow = type === 'message.updated' && windows.get(`${info?.providerID}/${info?.modelID}`)
    return contextWindow ? { contextWindow } : {}
  }

  /** `--continue` and `--session` resume a conversation, and nothing on the bus reports that before its next prompt. */
  async function resume() {
    const wanted = IS_TERMINAL ? resumed(await commandLine()) : undefined
    if (wanted === undefined) return
    const { data: all = [] } = await client.session.list()
    const newest = all.toSorted((a, b) => b.time.updated - a.time.updated)
    const info = newest.find(({ id, parentID }) => (wanted === '' ? !parentID : id === wanted))
    if (!info || sessions.size > 0) return // a prompt was faster
    sessionOf(info.id)
    const type = 'session.resumed'
    tell(type, { type, properties: { sessionID: info.id, info } }, info.id, 'always')
  }

  function frameOf(event, payload, sessionID) {
    const { root, agent } = sessions.get(sessionID) ?? {}
    return encode(event, root ? { ...payload, parentID: root, agentType: agent } : payload, version)
  }

  /** Sends and waits for the answer: `{deny?, args?, context?}`. */
  function ask(event, payload, sessionID, patience) {
    return daemon.deliver(frameOf(event, payload, sessionID), patience, 'ask')
  }

  /** Sends without waiting. Context in the answer goes into the model's next request. */
  function tell(event, payload, sessionID, keep = 'turn') {
    queue.push({ frame: frameOf(event, payload, sessionID), sessionID, keep })
    if (queue.length > LANES && event === BURSTY) {
      const oldest = queue.findIndex(({ frame }) => frame.event === BURSTY)
      queue.splice(oldest, 1)
    }
    if (queue.length > QUEUE_LIMIT) track(daemon.keep(queue.pop().frame))
    next()
  }

  function next() {
    if (sending.size >= LANES || queue.length === 0) return
    const { frame, sessionID, keep } = queue.shift()
    const sent = daemon.deliver(frame, OBSERVER_DEADLINE_MS, 'tell')
    track(sent.then((answer) => remember(sessionID, answer, keep))).finally(next)
  }

  function track(work) {
    const done = work.catch(() => {}).finally(() => sending.delete(done))
    sending.add(done)
    return done
  }

  function remember(sessionID, { context }, keep) {
    if (!sessionID || !context) return
    const kept = sessionOf(sessionID)[keep]
    if (!kept.includes(context)) kept.push(context)
  }

  const { init, ...hooks } = quietly({
    async init() {
      const place = { directory, worktree, project, serverUrl: String(serverUrl) }
      track(ask('plugin.init', place, undefined, OBSERVER_DEADLINE_MS))
      daemon.open('tell')
      // opencode answers nobody before its plugins are loaded.
      resume().catch(() => {})
    },

    async event({ event }) {
      if (typeof event?.type !== 'string') return
      learn(event)
      const sessionID = event.properties?.sessionID ?? event.properties?.info?.id
      const keep = event.type === 'session.created' ? 'always' : 'turn'
      tell(event.type, { ...event, ...known(event) }, sessionID, keep)
      if (event.type === 'session.deleted') sessions.delete(sessionID)
    },

    async 'chat.message'(input, output) {
      sessionOf(input.sessionID).turn = []
      const answer = await ask(
        'chat.message',
        { input, output, cwd: directory },
        input.sessionID,
        DECIDER_DEADLINE_MS,
      )
      remember(input.sessionID, answer, 'turn')
      if (typeof answer.deny === 'string') throw new Denial(answer.deny)
    },

    /** Only for the size of the model's context window; the rest contains the provider's API key. */
    async 'chat.params'({ model }) {
      const size = model?.limit?.context
      if (size > 0) windows.set(`${model.providerID}/${model.id}`, size)
    },

    async 'command.execute.before'(input, output) {
      tell('command.execute.before', { input, output, cwd: directory }, input.sessionID)
    },

    async 'tool.execute.before'(input, output) {
      const answer = await ask(
        'tool.execute.before',
        { input, output, cwd: directory },
        input.sessionID,
        DECIDER_DEADLINE_MS,
      )
      remember(input.sessionID, answer, 'turn')
      if (answer === LOST_WHILE_HELD) throw new Denial(UNDECIDED)
      if (typeof answer.deny === 'string') throw new Denial(answer.deny)
      if (isObject(answer.args) && isObject(output.args)) replace(output.args, answer.args)
    },

    async 'tool.execute.after'(input, output) {
      const answer = await ask(
        'tool.execute.after',
        { input, output, cwd: directory },
        input.sessionID,
        OBSERVER_DEADLINE_MS,
      )
      if (!answer.context) return
      if (typeof output.output === 'string') output.output += `\n\n${answer.context}`
      else remember(input.sessionID, answer, 'turn')
    },

    async 'experimental.text.complete'(input, output) {
      tell('experimental.text.complete', { input, output, cwd: directory }, input.sessionID)
    },

    async 'experimental.session.compacting'(input, output) {
      const event = 'experimental.session.compacting'
      const { context } = await ask(
        event,
        { input, output, cwd: directory },
        input.sessionID,
        OBSERVER_DEADLINE_MS,
      )
      if (context && Array.isArray(output.context)) output.context.push(context)
    },

    /** The system prompt is rebuilt for each request, so context is added again until it expires. */
    async 'experimental.chat.system.transform'({ sessionID }, { system }) {
      const session = sessions.get(sessionID)
      if (session && Array.isArray(system)) system.push(...session.always, ...session.turn)
    },

    async dispose() {
      for (const [sessionID, { root }] of sessions) if (!root) tell('dispose', { sessionID }, sessionID)
      tell('dispose', {})
      const deadline = Date.now() + OBSERVER_DEADLINE_MS
      while (sending.size > 0 && Date.now() < deadline) await Promise.race([...sending, sleep(GRACE_MS)])
    },
  })
  await init()
  return hooks
}

/** Errors here must not affect opencode. */
function quietly(hooks) {
  const quiet = {}
  for (const [name, hook] of Object.entries(hooks)) {
    quiet[name] = async (...args) => {
      try {
        await hook(...args)
      } catch (error) {
        if (error instanceof Denial) throw error
      }
    }
  }
  return quiet
}

/** One frame: a header line, then the payload. */
function encode(event, payload, version) {
  const whole = Buffer.from(JSON.stringify(payload))
  const body = whole.subarray(0, PAYLOAD_LIMIT_BYTES)
  const micros = nextMicros()
  const env = version ? { OPENCODE_VERSION: version } : {}
  for (const name of ENV_NAMES.split(' '))
    if (process.env[name]) env[name] = process.env[name].slice(0, VALUE_LIMIT_CHARS)
  const id = newId(micros)
  const header = {
    v: 1,
    kind: 'hook',
    agent: AGENT,
    event,
    id,
    at: Math.floor(micros / 1000),
    pid: process.pid,
    ppid: process.ppid,
    pane: process.env.TMUX_PANE || undefined,
    tmux: process.env.TMUX || undefined,
    env,
    client: INSTALLED_VERSION.startsWith('__') ? 'dev' : INSTALLED_VERSION,
    hold: true,
    keep: true,
    cut: whole.length > body.length ? whole.length : undefined,
    len: body.length,
  }
  return { event, id, bytes: Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]) }
}

let lastMicros = 0

function nextMicros() {
  lastMicros = Math.max(lastMicros + 1, Math.floor((performance.timeOrigin + performance.now()) * 1000))
  return lastMicros
}

/** As src/events/ids.ts: the time in ms, the microsecond within it, then random bits. */
function newId(micros) {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const ms = Math.floor(micros / 1000)
  const sub = micros % 1000
  let id = ''
  for (let shift = 45; shift >= 0; shift -= 5) id += alphabet[Math.floor(ms / 2 ** shift) % 32]
  id += alphabet[sub >> 5] + alphabet[sub & 31]
  for (const byte of randomBytes(14)) id += alphabet[byte & 31]
  return id
}

/** The rules of src/core/files/paths.ts. */
function places(env) {
  const home = INSTALLED_HOME.startsWith('__') ? env.GANTRY_HOME : INSTALLED_HOME
  const [run, state] = home?.startsWith('xdg:')
    ? [join(home.slice(4), 'gantry'), join(home.slice(4), 'gantry')]
    : home
      ? [resolve(home, 'run'), resolve(home, 'state')]
      : xdgFolders(env)
  const sockets = [run, state].map((folder) => join(folder, 'gantry.sock'))
  return { home, sockets, spool: join(state, 'spool') }
}

function xdgFolders(env) {
  const absolute = (path) => (path && isAbsolute(path) ? path : undefined)
  const state = join(absolute(env.XDG_STATE_HOME) ?? join(env.HOME || homedir(), '.local/state'), 'gantry')
  const runtime = absolute(env.XDG_RUNTIME_DIR)
  return [runtime ? join(runtime, 'gantry') : state, state]
}

const NOTHING = Object.freeze({})
/** The daemon held the call for a decision, and went away. */
const LOST_WHILE_HELD = Object.freeze({})

/**
 * The connection to the daemon. Frames are sent at once: one line stays open for frames without a waiting caller, and one
 * for questions, because opencode is busy for up to a second when it processes its first prompt, and a new connection would
 * wait for that (1.18.33).
 */
function connection({ sockets, spool: folder, home }) {
  const lines = {}
  let started = 0

  /** The answer, or an empty one: then the frame is in the spool, where a daemon will find it. */
  async function deliver(frame, patience, kind) {
    if (isGone()) return NOTHING
    const result = await send(frame, patience, kind)
    if (typeof result === 'object') return result
    if (frame.event !== BURSTY) await keep(frame)
    if (result === 'away') start()
    return result === 'held' ? LOST_WHILE_HELD : NOTHING
  }

  /** After a client waited in vain, clients with the same or less patience do not wait; the daemon removes the mark. */
  async function send({ bytes }, patience, kind) {
    const path = findSocket(sockets)
    if (path === undefined) return 'away'
    const { mode, mtimeMs } = fs.statSync(path)
    const decides = patience > OBSERVER_DEADLINE_MS
    const byDecider = (mode & 0o777) === DECIDER_GAVE_UP_MODE
    const byObserver = (mode & 0o777) === OBSERVER_GAVE_UP_MODE
    const mark = decides || byDecider ? DECIDER_GAVE_UP_MODE : OBSERVER_GAVE_UP_MODE
    const isGivenUp = byDecider || (byObserver && !decides)
    const age = Date.now() - mtimeMs
    if (isGivenUp && age >= 0 && age < LOOK_AGAIN_MS) return 'late'
    if (isGivenUp) setMode(path, mark) // restarts the minute for all others
    const result = await exchange(path, bytes, isGivenUp ? OBSERVER_DEADLINE_MS : patience, kind)
    if (result === 'late') setMode(path, mark)
    else if (typeof result === 'object' && (byDecider || byObserver)) setMode(path, SOCKET_MODE)
    return result
  }

  async function exchange(path, bytes, patience, kind) {
    const result = lines[kind]?.isFree() ? await lines[kind].send(bytes, patience) : 'closed'
    if (result !== 'closed') return result
    // An open line may belong to a previous daemon.
    return newLine(path, kind).send(bytes, patience)
  }

  function newLine(path, kind) {
    const line = lineTo(path, kind === 'ask' ? 1 : LANES, () => lines[kind] === line)
    lines[kind] = line
    return line
  }

  /** Connects ahead, so that the first frame need not wait for it. */
  function open(kind) {
    const path = isGone() ? undefined : findSocket(sockets)
    if (path !== undefined) newLine(path, kind)
  }

  async function keep(frame) {
    if (isGone() || (await spool(folder, frame).catch(() => false))) return
    // The hook client knows where there is space on a full disk, and how to record losses.
    if (isAbsolute(INSTALLED_CLIENT)) run(['--keep', frame.id, AGENT], frame.bytes)
  }

  /** The hook client does it by its own rules: whether it may, and once for concurrent requests. */
  function start() {
    if (!isAbsolute(INSTALLED_CLIENT) || Date.now() - started < START_PAUSE_MS) return
    started = Date.now()
    run(['--start'])
  }

  function run(args, input = '') {
    const where = home ? ['--home', home.startsWith('xdg:') ? home : resolve(home)] : []
    const child = spawn(INSTALLED_CLIENT, [...where, ...args], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
    })
    child.on('error', () => {})
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.unref()
  }

  return { deliver, keep, open }
}

/** Uninstalled, or removed from the disk: like a hook whose client is gone, it does nothing. */
function isGone() {
  const client = isAbsolute(INSTALLED_CLIENT) ? [INSTALLED_CLIENT] : []
  return [fileURLToPath(import.meta.url), ...client].some((path) => !fs.existsSync(path))
}

function setMode(path, mode) {
  fs.utimesSync(path, new Date(), new Date())
  fs.chmodSync(path, mode)
}

function findSocket(sockets) {
  for (const path of sockets) {
    try {
      const real = fs.realpathSync(path)
      return isOursAlone(path) && isOursAlone(real) ? path : undefined
    } catch {
      // The next one is a link, for clients with another XDG_RUNTIME_DIR than the daemon's.
    }
  }
  return undefined
}

/** Nobody else can have created this socket, or can replace it. */
function isOursAlone(path) {
  const socket = fs.statSync(path)
  const folder = fs.statSync(dirname(path))
  const me = process.geteuid()
  return socket.isSocket() && socket.uid === me && folder.uid === me && (folder.mode & 0o022) === 0
}

/**
 * One connection. Frames are pipelined, and answers come in order; nothing new is sent behind a held one. An answer is an
 * object; otherwise `away` (nobody listens), `closed`, `garbled`, `late`, or `held`: the connection broke during a
 * decision.
 */
function lineTo(path, room, isWanted) {
  const waiting = []
  let got = Buffer.alloc(0)
  let lost = 'away'
  let timer
  const socket = connect(path, () => {
    lost = 'closed'
  })

  function end(why) {
    clearTimeout(timer)
    socket.destroy()
    for (const one of waiting.splice(0)) one.finish(one.held ? 'held' : why)
  }

  // If opencode itself stalled, the time may run out although the answer has arrived: wait once more.
  function wait(ms, isLast = false) {
    clearTimeout(timer)
    const due = performance.now() + ms
    timer = setTimeout(() => {
      if (!isLast && performance.now() - due > GRACE_MS) wait(ms, true)
      else end('late')
    }, ms)
  }

  /** Parses one line from the daemon; false while it is incomplete. */
  function take() {
    const one = waiting[0]
    const length = got.indexOf(10)
    if (!one || (length < 0 && got.length <= REPLY_LINE_LIMIT_BYTES)) return false
    const text = got.toString('latin1', 0, Math.max(0, length))
    const hold = /^hold (\d{1,9})$/.exec(text)
    const sizes = /^\d{1,3} (\d{1,7}) (\d{1,7})$/.exec(text)
    if (!hold && !sizes) {
      end('garbled')
      return false
    }
    const out = length + 1 + Number(sizes?.[1] ?? 0)
    const whole = out + Number(sizes?.[2] ?? 0)
    if (got.length < whole) return false
    const said = got.toString('utf8', length + 1, out)
    got = got.subarray(whole)
    if (hold) {
      one.held = true
      wait(Math.min(Number(hold[1]), HOLD_LIMIT_MS))
      return true
    }
    waiting.shift()
    one.finish(answerIn(said))
    if (waiting[0]) wait(waiting[0].patience)
    return true
  }

  socket.on('data', (chunk) => {
    got = Buffer.concat([got, chunk])
    while (take());
    if (waiting.length > 0) return
    clearTimeout(timer)
    if (isWanted()) socket.unref()
    else socket.destroy()
  })
  socket.on('error', () => end(lost))
  socket.on('close', () => end(lost))

  return {
    isFree: () => !socket.destroyed && waiting.length < room && !waiting[0]?.held,
    send(bytes, patience) {
      return new Promise((finish) => {
        waiting.push({ finish, patience, held: false })
        if (waiting.length === 1) wait(patience)
        socket.ref()
        socket.write(bytes)
      })
    },
  }
}

function answerIn(said) {
  try {
    const answer = JSON.parse(said || '{}')
    return isObject(answer) ? answer : NOTHING
  } catch {
    return NOTHING
  }
}

/** Like the hook client: atomically, and private to this user. False if there is no space. */
async function spool(folder, { id, bytes }) {
  const draft = join(folder, `.tmp-${id}`)
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await hasRoom(folder))) return false
  const file = await fs.promises.open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.datasync()
    await file.close()
    await fs.promises.rename(draft, join(folder, `${id}.frame`))
    return true
  } catch (error) {
    await file.close().catch(() => {})
    await fs.promises.rm(draft, { force: true })
    throw error
  }
}

async function hasRoom(folder) {
  const { size, uid } = await fs.promises.stat(folder)
  const { bavail, bsize } = await fs.promises.statfs(folder)
  if (uid !== process.geteuid() || bavail * bsize < SPOOL_FREE_BYTES) return false
  return size <= SPOOL_FOLDER_BYTES || (await fs.promises.readdir(folder)).length < SPOOL_FRAMES
}

/** The terminal's command line; the worker with the plugins does not get it. */
async function commandLine() {
  if (process.platform === 'linux') return fs.readFileSync('/proc/self/cmdline', 'utf8').split('\0')
  const ps = spawn('ps', ['-ww', '-o', 'args=', '-p', String(process.pid)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  for await (const chunk of ps.stdout) text += chunk
  return text.trim().split(' ')
}

/** The id of the resumed conversation, '' for the last one; undefined for a new one. */
function resumed(args) {
  if (args.includes('--fork')) return undefined // session.created reports it
  for (const [at, arg] of args.entries()) {
    if (arg === '-s' || arg === '--session') return args[at + 1]
    if (arg.startsWith('--session=')) return arg.slice('--session='.length)
  }
  return args.includes('-c') || args.includes('--continue') ? '' : undefined
}

/** In place: opencode continues with the object it passed (1.18.33). */
function replace(target, source) {
  for (const key of Object.keys(target)) if (!Object.hasOwn(source, key)) delete target[key]
  Object.assign(target, source)
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms).unref())
}
