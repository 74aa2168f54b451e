import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { moveLog } from './rescue.ts'

test('a log is moved only if the checkpoint ran and took all of it', () => {
  const after = (busy: number, log: number, checkpointed: number) =>
    moveLog({ query: () => ({ get: () => ({ busy, log, checkpointed }) }) } as unknown as Database)
  expect(after(0, 22, 22)).toBe(true)
  expect(after(0, 22, 20)).toBe(false)
  expect(after(1, -1, -1)).toBe(false) // as SQLite says it while another connection checkpoints
})
