/** A pane outlives its agent: what is meant for the agent gets to nobody else. With a real tmux and an interactive shell. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { childrenOf, statOf } from '../../src/core/processes/proc.ts'
import { fromPs, isInFront, processRow } from '../../src/core/processes/process-table.ts'
import { paneOf } from '../../src/core/tmux.ts'
import { endAgent } from '../../src/tmux/act.ts'
import { interruptPane, typeInto } from '../../src/tmux/pane.ts'
import { isGone, tempDir, until } from '../kit.ts'
import { startTmux, type TestPane, type Tmux } from '../tui/terminal.ts'

const env = { PATH: process.env.PATH ?? '', PS1: 'shell> ', HOME: tempDir(), HISTFILE: '' }
let tmux: Tmux
let shell: TestPane
let shellPid = 0

beforeAll(async () => {
  tmux = await startTmux()
  shell = tmux.open(['bash', '--norc', '--noprofile', '-i'], { env })
  await shell.shows('shell>')
  shellPid = Number(tmux.run('display-message', '-p', '-t', shell.id, '#{pane_pid}'))
})

afterAll(() => tmux?.[Symbol.asyncDispose]())

const type = (text: string) => tmux.run('send-keys', '-t', shell.id, text, 'Enter')
const front = () => statOf(shellPid)?.foreground

/** Starts a program in the shell, in front. At first its process is still a copy of the shell. */
async function start(command: string): Promise<number> {
  type(command)
  const isStarted = (pid: number) => pid === front() && statOf(pid)?.name !== 'bash'
  return until(() => childrenOf(shellPid).find(isStarted), `the start of ${command}`)
}

function sessionOf(pid: number | undefined) {
  const seen = { pane: shell.id, tmux: tmux.variable, lastActivity: Date.now() }
  const session = { name: 'otter', ...seen, ...(pid === undefined ? {} : { pid }) }
  const pane = paneOf(session)
  if (!pane) throw new Error('no pane')
  return { session, pane }
}

const end = (pid: number | undefined) => endAgent(sessionOf(pid).session as never)

function send(pid: number | undefined, text: string) {
  const { session, pane } = sessionOf(pid)
  return typeInto(pane, session, text)
}

test('an agent in front gets text, whether its process is known or not', async () => {
  const pid = await start('cat')
  expect(await send(pid, 'to the agent')).toEqual({ ok: true, says: '' })
  expect(await send(undefined, 'to it again')).toEqual({ ok: true, says: '' })
  await shell.shows('to it again')
  process.kill(pid, 'SIGKILL')
  await until(() => front() === shellPid, 'the shell')
})

test('an agent that was suspended does not let the shell run a prompt', async () => {
  const pid = await start('cat')
  tmux.run('send-keys', '-t', shell.id, 'C-z')
  await until(() => front() === shellPid, 'the shell')
  const file = join(tempDir(), 'made')
  const refused = { ok: false, says: 'otter is not in front: its pane shows bash. Nothing was sent.' }
  expect(await send(pid, `touch ${file}`)).toEqual(refused)
  const { session, pane } = sessionOf(pid)
  expect(await interruptPane(pane, session)).toEqual(refused)
  type('echo "still" here')
  await shell.shows('still here')
  expect(await Bun.file(file).exists()).toBe(false)
  // It can be ended all the same, and the shell stays.
  expect((await end(pid)).ok).toBe(true)
  await until(() => isGone(pid), 'the end of the agent')
  expect(isGone(shellPid)).toBe(false)
}, 120_000)

test('an agent that was killed leaves a shell, which gets nothing and stays open', async () => {
  const pid = await start('cat')
  process.kill(pid, 'SIGKILL')
  await until(() => isGone(pid) && front() === shellPid, 'the shell')
  const gone = 'otter is not there any more: its pane shows bash.'
  for (const known of [pid, undefined]) {
    expect(await send(known, 'echo harm')).toEqual({ ok: false, says: `${gone} Nothing was sent.` })
    expect(await end(known)).toEqual({ ok: false, says: `${gone} Nothing was ended.` })
  }
  expect(isGone(shellPid)).toBe(false)
  expect(shell.text()).not.toContain('harm')
})

test('an agent elsewhere does not make another program of the pane it names its own', async () => {
  await using agent = Bun.spawn(['sleep', '600'], { stdio: ['ignore', 'ignore', 'ignore'] })
  const editor = await start('cat -v')
  const elsewhere = 'otter is not in its pane any more: that shows cat.'
  expect(await send(agent.pid, 'echo harm')).toEqual({ ok: false, says: `${elsewhere} Nothing was sent.` })
  expect(await end(agent.pid)).toEqual({ ok: false, says: `${elsewhere} Nothing was ended.` })
  expect([isGone(editor), isGone(agent.pid)]).toEqual([false, false])
  process.kill(editor, 'SIGKILL')
  await until(() => front() === shellPid, 'the shell')
})

test('an agent with a terminal of its own, as below `gantry run`, is reached through the one that has the pane', async () => {
  const file = join(tempDir(), 'pid')
  const wrapper = join(tempDir(), 'wrapper')
  writeFileSync(wrapper, `exec script -qec 'echo $$ > ${file}; exec cat' /dev/null\n`)
  const outer = await start(`sh ${wrapper}`)
  const pid = await until(() => Number(quietly(() => readFileSync(file, 'utf8'))), 'the agent')
  expect(pid).not.toBe(outer)
  expect(await send(pid, 'through the wrapper')).toEqual({ ok: true, says: '' })
  await shell.shows('through the wrapper')
  process.kill(pid, 'SIGKILL')
  await until(() => front() === shellPid, 'the shell')
})

test('ps tells the same as /proc', async () => {
  const byProc = await processRow(shellPid)
  const [byPs] = await fromPs(['-p', String(shellPid)])
  if (!byProc || !byPs) throw new Error('nothing is known of the shell')
  expect(byPs).toMatchObject({ parent: byProc.parent, tty: byProc.tty })
  expect(isInFront(byPs)).toBe(isInFront(byProc))
  expect(Math.abs(byPs.startedAt - byProc.startedAt)).toBeLessThan(2_000)
  expect(byPs.tty).not.toBe('')
})

function quietly(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
