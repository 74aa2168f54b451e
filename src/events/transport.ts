/** On which road an event came, and what follows from that. */
import type { Transport } from './hook-event.ts'

/** What happened at another time: nobody decides about it, and no process, pane or file is looked at for it. */
export function isPast({ transport }: { readonly transport: Transport }): boolean {
  return transport === 'replay' || transport === 'import'
}

/** Read in from a log: it is in the journal, and raises nothing. */
export function isImported({ transport }: { readonly transport: Transport }): boolean {
  return transport === 'import'
}
