import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { openStore, type Store } from '../index.ts'

/** Column names that other programs rely on, in the documented order. */
const PROMISED = [
  'id',
  'name',
  'agent',
  'project',
  'branch',
  'phase',
  'reason',
  'started_at',
  'last_activity',
  'ended_at',
  'cost_usd',
  'context_pct',
  'last_prompt',
  'last_message_sent',
  'last_message_sent_at',
  'pid',
  'pane',
  'host',
]

const path = join(tempDir(), 'gantry.db')
const store: Store = openStore(path)
const rows = (sql: string) => {
  const db = new Database(path, { readonly: true })
  try {
    return db.query<Record<string, unknown>, []>(sql).all()
  } finally {
    db.close()
  }
}

function put(id: string, phase: string, state: object, place = {}): void {
  const lastActivity = 7
  const row = { key: `claude:${id}`, agent: 'claude', sessionId: id, name: `${id}-name`, phase, seq: 1 }
  store.journal.commit(() =>
    store.sessions.put({ ...row, lastActivity, state: JSON.stringify(state), place }),
  )
}

describe('the SQL name `sessions`', () => {
  test('has the documented columns first', () => {
    const names = rows("SELECT name FROM pragma_table_info('sessions')").map(({ name }) => name)
    expect(names.slice(0, PROMISED.length)).toEqual(PROMISED)
  })

  test("shows a session's state in columns", () => {
    put(
      's1',
      'blocked',
      {
        startedAt: 5,
        cwd: '/home/me/acme/src',
        pid: 42,
        pane: '%3',
        usage: { costUsd: 0.25, contextPct: 61, tokens: 900 },
        lastPrompt: 'mend it',
        lastPromptAt: 6,
        lastMessage: 'I did',
        attention: [
          { kind: 'idle', reason: 'idle', since: 1 },
          { kind: 'permission', reason: 'Permission for Bash', since: 2 },
        ],
      },
      { host: 'here', project: 'acme', branch: 'main' },
    )
    expect(rows("SELECT * FROM sessions WHERE id = 's1'")).toMatchObject([
      {
        name: 's1-name',
        agent: 'claude',
        project: 'acme',
        branch: 'main',
        host: 'here',
        phase: 'blocked',
        reason: 'Permission for Bash',
        started_at: 5,
        last_activity: 7,
        ended_at: null,
        cost_usd: 0.25,
        context_pct: 61,
        last_prompt: 'mend it',
        last_message_sent: 'mend it',
        last_message_sent_at: 6,
        last_message: 'I did',
        pid: 42,
        pane: '%3',
      },
    ])
  })

  test("tells why a session rests or has ended, and uses the folder's name without a repository", () => {
    put('s2', 'working', { detail: 'Bash', attention: [], cwd: '/srv/shop' })
    put('s3', 'ended', { endReason: 'clear', endedAt: 9, attention: [] })
    expect(rows("SELECT id, project, reason FROM sessions WHERE id IN ('s2', 's3') ORDER BY id")).toEqual([
      { id: 's2', project: 'shop', reason: 'Bash' },
      { id: 's3', project: null, reason: 'clear' },
    ])
  })

  test('is searched by id and by activity without a table scan', () => {
    const plan = (sql: string) => rows(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => String(detail))
    expect(plan("SELECT * FROM sessions WHERE id = 'x'")[0]).toContain('session_states_by_id')
    expect(plan('SELECT * FROM sessions ORDER BY last_activity DESC LIMIT 5')[0]).toContain('by_activity')
  })
})
