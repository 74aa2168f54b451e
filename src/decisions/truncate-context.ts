/**
 * Context beyond an agent's budget: the beginning goes to the model, the whole of it into a file whose path the model
 * gets. Agents cut on their own terms otherwise, and the rest would be gone. The file is written after the commit, since
 * a disk may be slow and everybody waits for a transaction; and before the answer leaves, which names it.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Verdict } from '../events/index.ts'

const KEPT_FILES = 200
const TIDY_AFTER_MS = 100

/** The verdict as it is when its context fits; `id` names the file. */
export function truncateContext(
  verdict: Verdict,
  limit: number | undefined,
  dir: string,
  id: string,
): Verdict {
  if (limit === undefined || !verdict.context) return verdict
  const whole = verdict.context.filter((part) => part !== '').join('\n\n')
  if (whole.length <= limit) return verdict
  const file = join(dir, `${id.replace(/[^A-Za-z0-9_-]/g, '_')}.txt`)
  const note = `\n[gantry: this is the beginning of ${whole.length} characters; all of it is in ${file}]`
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    writeFileSync(file, whole, { mode: 0o600 })
    tidySoon(dir)
  } catch {
    return verdict // a full disk: the agent's own cut is better than no context
  }
  let end = limit - note.length
  if (/[\ud800-\udbff]/.test(whole[end - 1] ?? '')) end -= 1 // not in the middle of a character
  return { ...verdict, context: [whole.slice(0, Math.max(0, end)) + note] }
}

const tidying = new Set<string>()

/** Not while an agent waits. */
function tidySoon(dir: string): void {
  if (tidying.has(dir)) return
  tidying.add(dir)
  setTimeout(() => {
    tidying.delete(dir)
    tidy(dir)
  }, TIDY_AFTER_MS).unref()
}

/** Names are event ids, which sort by time. */
function tidy(dir: string): void {
  try {
    const files = readdirSync(dir).sort()
    for (const old of files.slice(0, Math.max(0, files.length - KEPT_FILES)))
      rmSync(join(dir, old), { force: true })
  } catch {
    // The next one tries again.
  }
}
