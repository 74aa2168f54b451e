/** Which part of a session is shown, kept in the address: a link shows the same. */
import { go, sessionPath, useQuery } from '../router.ts'

export const TABS = ['timeline', 'changes', 'events', 'transcript', 'decisions', 'effort'] as const
export type Tab = (typeof TABS)[number]

export const TAB_NAMES: Readonly<Record<Tab, string>> = {
  timeline: 'Timeline',
  changes: 'Changes',
  events: 'Events',
  transcript: 'Transcript',
  decisions: 'Decisions',
  effort: 'Effort',
}

interface Shown {
  readonly tab: Tab
  /** Sequence of the event, prompt or span that is selected. */
  readonly at: number | undefined
}

export function useShown(): Shown {
  const query = useQuery()
  const tab = TABS.find((one) => one === query.get('tab')) ?? 'timeline'
  const at = Number(query.get('at') ?? Number.NaN)
  return { tab, at: Number.isSafeInteger(at) && at >= 0 ? at : undefined }
}

export function shownPath(
  key: string,
  { tab, at }: { readonly tab: Tab; readonly at?: number | undefined },
): string {
  const query = new URLSearchParams()
  if (tab !== 'timeline') query.set('tab', tab)
  if (at !== undefined) query.set('at', String(at))
  const text = query.toString()
  return sessionPath(key) + (text === '' ? '' : `?${text}`)
}

/** A selection replaces the one before: going back leads to the tab, not through every row. */
export function select(key: string, tab: Tab, at: number | undefined): void {
  go(shownPath(key, { tab, at }), 'replace')
}
