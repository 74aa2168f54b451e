/**
 * Which window of an effort a new one continues. Several sessions may work on one effort, so it is not always the newest.
 */
import type { Database } from 'bun:sqlite'

/** The new window's session. Runs that one supervisor starts one after another are a family. */
export interface NewWindow {
  readonly effortId: number
  readonly agent: string
  readonly family: string | null
}

/** A payload is stale once work went on without it: a later log, or another payload of a window that began later. */
const UNTAKEN = `dehydration_payload IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM effort_windows t WHERE t.effort_id = s.effort_id AND t.recovered_from = s.id)
  AND NOT EXISTS (SELECT 1 FROM effort_windows t WHERE t.effort_id = s.effort_id AND t.dehydration_payload IS NOT NULL
                    AND t.started_at > s.ended_at)
  AND NOT EXISTS (SELECT 1 FROM effort_windows t JOIN messages m ON m.session_id = t.id
                  WHERE t.effort_id = s.effort_id AND m.role = 'log' AND m.at > s.ended_at)`

/** A sub-agent's window is never continued. */
const WINDOWS = "SELECT id FROM effort_windows s WHERE effort_id = ?1 AND agent_id = ''"
const NEWEST = 'ORDER BY id DESC LIMIT 1'

const IN_FAMILY = "agent = ?2 AND (run_id = ?3 OR substr(run_id, 1, length(?3) + 1) = ?3 || '.')"

/** A superseded window's session continues in another. */
const OVER = "ended_at IS NOT NULL AND end_reason <> 'superseded'"

/**
 * The window of the restarted run; else the newest with an unused payload; else the newest that has ended; else the newest.
 */
export function effortWindowBefore(db: Database, { effortId, agent, family }: NewWindow): number | undefined {
  const find = (which: string, ...more: string[]) =>
    db
      .query<{ id: number }, [number, ...string[]]>(`${WINDOWS} AND ${which} ${NEWEST}`)
      .get(effortId, ...more)?.id
  const own =
    family === null
      ? undefined
      : (find(`${IN_FAMILY} AND ${UNTAKEN}`, agent, family) ?? find(IN_FAMILY, agent, family))
  return own ?? find(UNTAKEN) ?? find(OVER) ?? find('1')
}
