/** The diff of a change, and one sentence about it. Plain text, without colours. */
import { createTwoFilesPatch } from 'diff'
import { knownHooks } from '../agents/index.ts'
import type { FoundAgent } from './find.ts'

const CONTEXT_LINES = 2

/** A unified diff without its header; empty if nothing changes. */
export function diffOf(before: Buffer | undefined, after: Buffer | undefined): string[] {
  const patch = createTwoFilesPatch('', '', text(before), text(after), '', '', { context: CONTEXT_LINES })
  const lines = patch.split('\n')
  const start = lines.findIndex((line) => line.startsWith('@@'))
  return start < 0 ? [] : lines.slice(start).filter((line, i, all) => line !== '' || i < all.length - 1)
}

function text(bytes: Buffer | undefined): string {
  return bytes?.toString() ?? ''
}

/** `30 of 33 events`. */
export function coverage({ settings, version }: FoundAgent, events: readonly string[]): string {
  return `${events.length} of ${knownHooks(settings, version).length} events`
}

/** What a newer version of the agent would add. */
export function moreInNewer({ settings, version }: FoundAgent): string | undefined {
  const newer = settings.hooks.length - knownHooks(settings, version).length
  return newer === 0 ? undefined : `${newer} more need ${settings.title} ${settings.versions.at(-1)}`
}

/** Known events that are not wired, with the reason. */
export function unwiredEvents(
  { settings, version }: FoundAgent,
  events: readonly string[],
): { event: string; why: string }[] {
  return knownHooks(settings, version)
    .filter(({ event }) => !events.includes(event))
    .map(({ event, off, never }) => ({ event, why: never ?? off ?? '' }))
}
