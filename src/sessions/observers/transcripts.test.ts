import { expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rawEvent, tempDir, until } from '../../../test/kit.ts'
import { readEvent } from '../../journal/parse-event.ts'
import { SessionMap } from '../state/index.ts'
import { TranscriptObserver } from './transcripts.ts'

const titled = (title: string, at: number) =>
  `${JSON.stringify({ type: 'custom-title', customTitle: title, timestamp: new Date(at).toISOString() })}\n`

test('lines after a replacement count, also with a clock that was set back', async () => {
  const dir = join(tempDir(), 'projects')
  mkdirSync(dir)
  const path = join(dir, 's1.jsonl')
  const now = Date.now()
  const raw = JSON.stringify({ session_id: 's1', hook_event_name: 'SessionStart', transcript_path: path })
  const sessions = new SessionMap()
  sessions.apply({ ...readEvent(rawEvent({ raw, at: now, receivedAt: now })), seq: 1 })
  const titles: string[] = []
  const observer = new TranscriptObserver({
    session: (key) => sessions.get(key),
    raise: ({ raw }) => titles.push(String(JSON.parse(String(raw)).title)),
    isRecovered: () => false,
    written: () => {},
  })
  writeFileSync(path, titled('first', now + 1_000))
  observer.follow(sessions.get('claude:s1') ?? expect.unreachable(), { CLAUDE_CONFIG_DIR: join(dir, '..') })
  await until(() => titles.includes('first'), 'the first title')
  writeFileSync(`${path}.tmp`, titled('first', now + 1_000))
  renameSync(`${path}.tmp`, path)
  appendFileSync(path, titled('second', now + 2_000))
  await until(() => titles.includes('second'), 'the title after the change')
  appendFileSync(path, titled('third', now - 3_600_000))
  await until(() => titles.includes('third'), 'the title by the clock that was set back')
  expect(titles).toEqual(['first', 'second', 'third'])
  observer.close()
})
