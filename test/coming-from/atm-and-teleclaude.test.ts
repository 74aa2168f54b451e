/** The examples on the pages for those who come from agent-tmux-monitor and TeleClaude do what the pages say. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { makeHome, PROGRAMS, ROOT, type RunningDaemon, run, sendFrame, startDaemon, until } from '../kit.ts'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
  for (const hook_event_name of ['SessionStart', 'UserPromptSubmit', 'Stop'])
    await sendFrame(at, { payload: JSON.stringify({ session_id: 's1', hook_event_name, prompt: 'go' }) })
})
afterAll(async () => void (await daemon.kill('SIGTERM')))

describe.each(['agent-tmux-monitor', 'teleclaude'])('%s', (name) => {
  const file = join('docs/coming-from', `${name}.md`)
  const page = readFileSync(join(ROOT, file), 'utf8')
  const blocks = (kind: string) =>
    [...page.matchAll(/<!-- run(?:: (\w+))? -->\n```\w*\n([\s\S]*?)```/g)]
      .filter(([, named = 'sh']) => named === kind)
      .map(([, , text = '']) => text.trimEnd())

  test('every line of its shell examples works', async () => {
    const lines = blocks('sh').flatMap((block) => block.split('\n'))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const ran = await run(['sh', '-c', `PATH=${PROGRAMS}:$PATH; ${line}`], at)
      expect({ line, exit: ran.exit, stderr: ran.stderr }).toEqual({ line, exit: 0, stderr: '' })
      if (!line.startsWith('gantry hook')) expect(ran.stdout, line).not.toBe('')
      if (line.includes('--json')) expect(JSON.parse(ran.stdout)).not.toEqual([])
    }
  }, 120_000)

  test('every link leads somewhere', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(existsSync(join(ROOT, dirname(file), target)), target).toBe(true)
  })

  test('its conversations on the socket go as they are written', async () => {
    for (const talk of blocks('socket')) {
      const socket = connect(at.socket)
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk.toString()
      })
      for (const line of talk.split('\n')) {
        if (line.startsWith('→ ')) socket.write(`${line.slice(2)}\n`)
        else await until(() => heard.includes(`${line.slice(2)}\n`), line, 10_000)
      }
      socket.destroy()
    }
  })
})
