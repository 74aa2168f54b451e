/** What a change looks like, and what it means in a sentence. Plain text; colours are the terminal's business. */
import { createTwoFilesPatch } from 'diff'
import { knownHooks } from '../agents/index.ts'
import type { FoundAgent } from './find.ts'

const CONTEXT_LINES = 2

/** A unified diff without the head; empty when nothing changes. */
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

/** What a newer version of the agent would bring. */
export function beyond({ settings, version }: FoundAgent): string | undefined {
  const newer = settings.hooks.length - knownHooks(settings, version).length
  return newer === 0 ? undefined : `${newer} more need ${settings.title} ${settings.versions.at(-1)}`
}

/** The events that are known and not wired, with the reason. */
export function leftOut(
  { settings, version }: FoundAgent,
  events: readonly string[],
): { event: string; why: string }[] {
  return knownHooks(settings, version)
    .filter(({ event }) => !events.includes(event))
    .map(({ event, off, never }) => ({ event, why: never ?? off ?? '' }))
}
