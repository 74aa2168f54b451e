/**
 * Ends sessions that nothing else will end: their agent was killed where its process is not visible, in a container or on a
 * machine that is gone. After a week of silence they end; otherwise they would be kept and watched forever.
 */

import { healedEvent } from '../../journal/index.ts'
import { heal, type Session } from '../state/index.ts'
import type { ObserverParts } from './transcripts.ts'

const SILENT_DAYS = 7
const SILENT_MS = SILENT_DAYS * 86_400_000

export function retireSilent(
  sessions: Iterable<Session>,
  isAlive: (key: string) => boolean,
  now: number,
  raise: ObserverParts['raise'],
): void {
  for (const session of sessions) {
    if (session.endedAt !== undefined || now - session.lastActivity < SILENT_MS || isAlive(session.key))
      continue
    const healed = heal(session, { kind: 'gone', at: now, says: `silent for ${SILENT_DAYS} days` })
    if (healed) raise(healedEvent(session, healed, now))
  }
}
