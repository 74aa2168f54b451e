/**
 * gantry's plugin for opencode (seen on 1.18.33). MIT. It runs inside opencode and forwards what happens
 * there to gantry, one frame per event over gantry's Unix socket. `gantry install opencode` puts a copy into
 * opencode's folder of plugins. It never throws but to deny, and never keeps opencode waiting but for
 * a decision.
 *
 * Not forwarded, though there are hooks for it: chat.params and chat.headers (the provider's API key is in
 * them), the whole conversation before each request, the definitions of tools, and the environment of shells.
 */
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

/**
 * Filled in by the installer: the socket where gantry does not live in its usual place (else the environment
 * tells).
 */
const INSTALLED_SOCKET = '__GANTRY_SOCKET__'
const INSTALLED_VERSION = '__GANTRY_VERSION__'

// The same numbers as src/client/wire.ts and src/client/hook.ts; plugin.test.ts compares them.
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

const LANES = 64 // connections at once that nobody waits for
const QUEUE_LIMIT = 1024 // frames that wait for a lane; beyond it they go to the spool
const SESSION_LIMIT = 1_000 // sessions to remember things about
/**
 * Comes by the hundred, and all of it comes once more in message.part.updated: the only event that may be
 * lost.
 */
const BURSTY = 'message.part.delta'

const ENV_NAMES =
  'AGENT_ID GANTRY_RUN_ID ITERM_SESSION_ID KITTY_WINDOW_ID PWD SSH_TTY STY TERM_PROGRAM WEZTERM_PANE ' +
  'ZELLIJ_PANE_ID ZELLIJ_SESSION_NAME'

/** The one error that may leave a hook: opencode then does not do what it was about to do. */
class Denial extends Error {}

/** opencode calls everything that a plugin exports, so this is all. */
export async function GantryPlugin({ directory, worktree, project, serverUrl }) {
  if (process.env.GANTRY_OFF) return {} // gantry itself runs this opencode
  const where = places(process.env)
  const sessions = new Map()
  const sending = new Set()
  const queue = []
  let version = process.env.OPENCODE_VERSION

  /**
   * What is known about a session: its root and its agent if it is a child, and what its model shall be told.
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

  function frameOf(event, payload, sessionID) {
    const { root, agent } = sessions.get(sessionID) ?? {}
    return encode(event, root ? { ...payload, parentID: root, agentType: agent } : payload, version)
  }

  /** Sends and waits for the answer: `{deny?, args?, context?}`. */
  function ask(event, payload, sessionID, patience) {
    return deliver(where, frameOf(event, payload, sessionID), patience)
  }

  /** Sends and does not wait. What the answer has for the model is told with its next request. */
  function tell(event, payload, sessionID, keep = 'turn') {
    queue.push({ frame: frameOf(event, payload, sessionID), sessionID, keep })
    if (queue.length > LANES && event === BURSTY) {
      const oldest = queue.findIndex(({ frame }) => frame.event === BURSTY)
      queue.splice(oldest, 1)
    }
    if (queue.length > QUEUE_LIMIT) track(spool(where, queue.pop().frame))
    next()
  }

  function next() {
    if (sending.size >= LANES || queue.length === 0) return
    const { frame, sessionID, keep } = queue.shift()
    const sent = deliver(where, frame, OBSERVER_DEADLINE_MS).then((answer) =>
      remember(sessionID, answer, keep),
    )
    track(sent).finally(next)
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
      tell('plugin.init', { directory, worktree, project, serverUrl: String(serverUrl) })
    },

    async event({ event }) {
      if (typeof event?.type !== 'string') return
      learn(event)
      const sessionID = event.properties?.sessionID ?? event.properties?.info?.id
      tell(event.type, event, sessionID, event.type === 'session.created' ? 'always' : 'turn')
      if (event.type === 'session.deleted') sessions.delete(sessionID)
    },

    async 'chat.message'(input, output) {
      sessionOf(input.sessionID).turn = []
      const answer = await ask('chat.message', { input, output }, input.sessionID, DECIDER_DEADLINE_MS)
      remember(input.sessionID, answer, 'turn')
      if (typeof answer.deny === 'string') throw new Denial(answer.deny)
    },

    async 'command.execute.before'(input, output) {
      tell('command.execute.before', { input, output }, input.sessionID)
    },

    async 'tool.execute.before'(input, output) {
      const answer = await ask('tool.execute.before', { input, output }, input.sessionID, DECIDER_DEADLINE_MS)
      remember(input.sessionID, answer, 'turn')
      if (typeof answer.deny === 'string') throw new Denial(answer.deny)
      if (isObject(answer.args) && isObject(output.args)) replace(output.args, answer.args)
    },

    async 'tool.execute.after'(input, output) {
      const answer = await ask('tool.execute.after', { input, output }, input.sessionID, OBSERVER_DEADLINE_MS)
      if (!answer.context) return
      if (typeof output.output === 'string') output.output += `\n\n${answer.context}`
      else remember(input.sessionID, answer, 'turn')
    },

    async 'experimental.text.complete'(input, output) {
      tell('experimental.text.complete', { input, output }, input.sessionID)
    },

    async 'experimental.session.compacting'(input, output) {
      const event = 'experimental.session.compacting'
      const { context } = await ask(event, { input, output }, input.sessionID, OBSERVER_DEADLINE_MS)
      if (context && Array.isArray(output.context)) output.context.push(context)
    },

    /** The system prompt is made anew for each request, so what was said is said again until it is over. */
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

/** Nothing that goes wrong here is opencode's concern. */
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
    agent: 'opencode',
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

/** As src/events/ids.ts: the time in ms, the microsecond within it, then chance. */
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

/** The rules of src/places.ts. */
function places(env) {
  const absolute = (path) => (path && isAbsolute(path) ? path : undefined)
  const user = env.HOME || homedir()
  const state = join(absolute(env.XDG_STATE_HOME) ?? join(user, '.local/state'), 'gantry')
  const runtime = absolute(env.XDG_RUNTIME_DIR)
  if (isAbsolute(INSTALLED_SOCKET)) {
    const run = dirname(INSTALLED_SOCKET)
    const home = basename(run) === 'run' ? dirname(run) : undefined
    return { sockets: [INSTALLED_SOCKET], spool: join(home ? join(home, 'state') : state, 'spool') }
  }
  const home = env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : undefined
  const folders = home
    ? [join(home, 'run'), join(home, 'state')]
    : [runtime ? join(runtime, 'gantry') : state, state]
  const sockets = folders.map((folder) => join(folder, 'gantry.sock'))
  return { sockets, spool: join(home ? join(home, 'state') : state, 'spool') }
}

/** The answer, or nothing: then the frame is in the spool, where a daemon finds it sooner or later. */
async function deliver(where, frame, patience) {
  const path = findSocket(where.sockets)
  const said = path === undefined ? undefined : await exchange(path, frame.bytes, patience)
  if (said === undefined && frame.event !== BURSTY) await spool(where, frame)
  const answer = said ? JSON.parse(said) : {}
  return isObject(answer) ? answer : {}
}

function findSocket(sockets) {
  for (const path of sockets) {
    try {
      const real = fs.realpathSync(path)
      return isOursAlone(path) && isOursAlone(real) ? path : undefined
    } catch {
      // The next one is a link, for those who see another XDG_RUNTIME_DIR than the daemon did.
    }
  }
  return undefined
}

/** Nobody else can have put this socket here, or can put another one in its place. */
function isOursAlone(path) {
  const socket = fs.statSync(path)
  const folder = fs.statSync(dirname(path))
  const me = process.geteuid()
  return socket.isSocket() && socket.uid === me && folder.uid === me && (folder.mode & 0o022) === 0
}

/** What the daemon has for stdout; undefined if it is away, stuck or makes no sense. */
function exchange(path, bytes, patience) {
  return new Promise((done) => {
    let got = Buffer.alloc(0)
    let timer
    const socket = connect(path)
    const finish = (said) => {
      clearTimeout(timer)
      socket.destroy()
      done(said)
    }
    // After a stall of opencode itself the clock has run out with the answer lying there: it gets a moment to
    // be read.
    const wait = (ms) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = setTimeout(finish, GRACE_MS)
      }, ms)
    }
    socket.on('data', (chunk) => {
      got = Buffer.concat([got, chunk])
      for (;;) {
        const end = got.indexOf(10)
        if (end < 0 && got.length <= REPLY_LINE_LIMIT_BYTES) return
        const line = got.toString('latin1', 0, Math.max(0, end))
        const hold = /^hold (\d{1,9})$/.exec(line)
        const sizes = /^\d{1,3} (\d{1,7}) (\d{1,7})$/.exec(line)
        if (hold) {
          wait(Math.min(Number(hold[1]), HOLD_LIMIT_MS))
          got = got.subarray(end + 1)
          continue
        }
        if (!sizes) return finish()
        const out = end + 1 + Number(sizes[1])
        if (got.length >= out + Number(sizes[2])) finish(got.toString('utf8', end + 1, out))
        return
      }
    })
    socket.on('error', () => finish())
    socket.on('close', () => finish())
    socket.write(bytes)
    wait(patience)
  })
}

/** As the hook client does it: whole or not at all, and readable by nobody else. */
async function spool({ spool: folder }, { id, bytes }) {
  const draft = join(folder, `.tmp-${id}`)
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await hasRoom(folder))) return
  const file = await fs.promises.open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.datasync()
    await file.close()
    await fs.promises.rename(draft, join(folder, `${id}.frame`))
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

/** In place: opencode goes on with the object it handed out (1.18.33). */
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
