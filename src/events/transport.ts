/** What follows from an event's transport. */
import type { Transport } from './hook-event.ts'

/** The event happened in the past: nobody decides about it, and no process, pane or file is checked for it. */
export function isPast({ transport }: { readonly transport: Transport }): boolean {
  return transport === 'replay' || transport === 'import'
}

/** Imported from a log: stored in the journal, but triggers nothing. */
export function isImported({ transport }: { readonly transport: Transport }): boolean {
  return transport === 'import'
}
