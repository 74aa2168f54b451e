/** The examples of docs/coming-from/claude-hooks-sdk.md, as they stand there. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { envFor, GANTRY, makeHome, ROOT, startDaemon, tempDir } from '../kit.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

test('every example of the page runs, and the questions of the SDK are answered from an imported log', async () => {
  const page = readFileSync(join(ROOT, 'docs/coming-from/claude-hooks-sdk.md'), 'utf8')
  const lines = [...page.matchAll(/<!-- run -->\n```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => line.startsWith('gantry '))
  expect(lines.length).toBe(8)
  const at = makeHome()
  const dir = tempDir()
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  symlinkSync(GANTRY, join(bin, 'gantry'))
  const parent = '74d6d41b-dbef-4522-ab8c-c8623b2f9520'
  const common = { session_id: parent, cwd: '/w', transcript_path: '/x', permission_mode: 'default' }
  const stop = {
    hook_event_name: 'SubagentStop',
    agent_id: '118b0863',
    agent_transcript_path: '/y',
    stop_hook_active: false,
  }
  const hooks = [
    { hook_event_name: 'UserPromptSubmit', prompt: 'x', ...common },
    { ...stop, ...common },
  ]
  const log = hooks.map((hook, i) =>
    JSON.stringify({ input: { hook, timestamp: `2025-11-21T10:00:0${i}.000Z` }, output: {} }),
  )
  writeFileSync(join(dir, 'events.jsonl'), `${log.join('\n')}\n`)
  await using _daemon = await startDaemon(at)
  const env = envFor(at)
  for (const line of lines) {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', line], {
      cwd: dir,
      env: { ...env, PATH: `${bin}:${env.PATH ?? process.env.PATH}` },
    })
    expect(exitCode, `${line}\n${stderr}`).toBe(0)
    if (line.includes('jq')) expect(stdout.toString(), line).toContain('118b0863')
  }
})
