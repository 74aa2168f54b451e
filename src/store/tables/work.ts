/**
 * Rows of the work engine: projects, tasks, efforts, their sessions, messages, agents and phases. All writes need the
 * caller's transaction. Lists and objects are JSON columns, parsed here. Rows that every event needs are cached, because
 * they are read on the hook path.
 */
import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { KEPT } from '../kept.ts'
import { RowCache } from '../row-cache.ts'
import { effortWindowBefore, type NewWindow } from '../window-before.ts'
import type {
  AgentRow,
  EffortRow,
  MessageRow,
  PhaseRow,
  ProjectRow,
  TaskRow,
  WorkSessionRow,
} from './row-types.ts'

type Value = SQLQueryBindings

const MAX_REMEMBERED = 2_000 // per kind; more than the agents working at once
const JSON_COLUMNS = new Set(['keywords', 'discoveredDirectives', 'metadata', 'loadedFiles'])

export class WorkRows {
  readonly #db: Database
  readonly #projects: RowCache<'all', readonly ProjectRow[]>
  /** Active efforts by project, newest first. */
  readonly #active: RowCache<number, readonly EffortRow[]>
  readonly #efforts: RowCache<number, EffortRow>
  readonly #windows: RowCache<number, WorkSessionRow>
  /** The newest window by its names; 0 if there is none. */
  readonly #newest: RowCache<string, number>
  readonly #first: RowCache<string, number>

  constructor(db: Database, journal: { readonly rollbacks: number }) {
    this.#db = db
    this.#projects = new RowCache(journal, 1)
    this.#active = new RowCache(journal, MAX_REMEMBERED)
    this.#efforts = new RowCache(journal, MAX_REMEMBERED)
    this.#windows = new RowCache(journal, MAX_REMEMBERED)
    this.#newest = new RowCache(journal, MAX_REMEMBERED)
    this.#first = new RowCache(journal, MAX_REMEMBERED)
  }

  /** Returns the same list until a project is added. */
  projects(): readonly ProjectRow[] {
    return (
      this.#projects.get('all') ??
      this.#projects.set('all', this.#all('SELECT id, path, name FROM projects ORDER BY path'))
    )
  }

  addProject(path: string, name: string, now: number): ProjectRow {
    this.#projects.clear()
    this.#run('INSERT OR IGNORE INTO projects (path, name, created_at) VALUES (?, ?, ?)', path, name, now)
    return this.#one<ProjectRow>('SELECT id, path, name FROM projects WHERE path = ?', path) as ProjectRow
  }

  tasks(): TaskRow[] {
    return this.#all('SELECT * FROM tasks ORDER BY created_at DESC, dir_path')
  }

  task(dirPath: string): TaskRow | undefined {
    return this.#one('SELECT * FROM tasks WHERE dir_path = ?', dirPath)
  }

  putTask(task: TaskRow, now: number): void {
    this.#active.clear()
    this.#run(
      `INSERT INTO tasks (dir_path, project_id, title, keywords, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (dir_path) DO UPDATE SET title = excluded.title, keywords = excluded.keywords`,
      task.dirPath,
      task.projectId,
      task.title,
      JSON.stringify(task.keywords),
      now,
    )
  }

  efforts(filter: { readonly active?: boolean; readonly task?: string } = {}): EffortRow[] {
    const active = filter.active ? "lifecycle = 'active'" : '1'
    return filter.task === undefined
      ? this.#all(`SELECT * FROM efforts WHERE ${active} ORDER BY id DESC`)
      : this.#all(`SELECT * FROM efforts WHERE ${active} AND task_id = ? ORDER BY id DESC`, filter.task)
  }

  /** Efforts that a session worked on, newest first. */
  effortsOf(nativeId: string): EffortRow[] {
    return this.#all(
      'SELECT * FROM efforts WHERE id IN (SELECT effort_id FROM effort_windows WHERE native_id = ?) ORDER BY id DESC',
      nativeId,
    )
  }

  countActive(): number {
    const sql = "SELECT count(*) AS count FROM efforts WHERE lifecycle = 'active'"
    return this.#one<{ count: number }>(sql)?.count ?? 0
  }

  /** Most recently started or continued first; the same rows until one of them changes. */
  activeIn(projectId: number): readonly EffortRow[] {
    return (
      this.#active.get(projectId) ??
      this.#active.set(
        projectId,
        this.#all(
          `SELECT e.* FROM efforts e JOIN tasks t ON t.dir_path = e.task_id
           WHERE e.lifecycle = 'active' AND t.project_id = ?
           ORDER BY coalesce(e.metadata ->> '$.continuedAt', e.created_at) DESC, e.id DESC`,
          projectId,
        ),
      )
    )
  }

  effort(id: number): EffortRow | undefined {
    const known = this.#efforts.get(id)
    if (known) return known
    const row = this.#one<EffortRow>('SELECT * FROM efforts WHERE id = ?', id)
    return row && this.#efforts.set(id, row)
  }

  addEffort(effort: Omit<EffortRow, 'id' | 'ordinal' | 'lifecycle' | 'finishedAt'>): EffortRow {
    this.#active.clear()
    const { lastInsertRowid } = this.#run(
      `INSERT INTO efforts (task_id, agent_id, skill, mode, ordinal, lifecycle, current_phase, discovered_directives,
                            metadata, created_at)
       VALUES (?1, ?2, ?3, ?4, (SELECT coalesce(max(ordinal), 0) + 1 FROM efforts WHERE task_id = ?1), 'active', ?5, ?6,
               ?7, ?8)`,
      effort.taskId,
      effort.agentId,
      effort.skill,
      effort.mode,
      effort.currentPhase,
      JSON.stringify(effort.discoveredDirectives),
      JSON.stringify(effort.metadata),
      effort.createdAt,
    )
    return this.effort(Number(lastInsertRowid)) as EffortRow
  }

  updateEffort(id: number, change: Partial<Omit<EffortRow, 'id'>>): void {
    this.#active.clear()
    this.#efforts.clear()
    this.#update('efforts', id, change)
  }

  addPhase(effortId: number, phase: string, now: number): void {
    this.#run('INSERT INTO phase_history (effort_id, phase, at) VALUES (?, ?, ?)', effortId, phase, now)
  }

  phases(effortId: number): PhaseRow[] {
    return this.#all('SELECT phase, at FROM phase_history WHERE effort_id = ? ORDER BY id', effortId)
  }

  session(id: number): WorkSessionRow | undefined {
    const known = this.#windows.get(id)
    if (known) return known
    const row = this.#one<WorkSessionRow>('SELECT * FROM effort_windows WHERE id = ?', id)
    return row && this.#windows.set(id, row)
  }

  /** The newest context window of an agent's session or sub-agent. */
  sessionOf(agent: string, nativeId: string, agentId: string): WorkSessionRow | undefined {
    const names = `${agent}\0${nativeId}\0${agentId}`
    const known = this.#newest.get(names)
    if (known !== undefined) return known === 0 ? undefined : this.session(known)
    const row = this.#one<WorkSessionRow>(
      'SELECT * FROM effort_windows WHERE native_id = ? AND agent = ? AND agent_id = ? ORDER BY id DESC LIMIT 1',
      nativeId,
      agent,
      agentId,
    )
    this.#newest.set(names, row?.id ?? 0)
    return row && this.#windows.set(row.id, row)
  }

  /** The first effort that a session worked on; its sub-agents work for it. */
  firstEffortOf(agent: string, nativeId: string): number | undefined {
    const names = `${agent}\0${nativeId}`
    const known = this.#first.get(names)
    if (known !== undefined) return known
    if (this.sessionOf(agent, nativeId, '') === undefined) return undefined
    const sql =
      "SELECT effort_id AS id FROM effort_windows WHERE native_id = ? AND agent = ? AND agent_id = '' ORDER BY effort_windows.id LIMIT 1"
    const id = this.#one<{ id: number }>(sql, nativeId, agent)?.id
    if (id !== undefined) this.#first.set(names, id)
    return id
  }

  sessions(effortId: number): WorkSessionRow[] {
    return this.#all('SELECT * FROM effort_windows WHERE effort_id = ? ORDER BY id', effortId)
  }

  /** The window that a new window of an effort continues. */
  sessionBefore(window: NewWindow): WorkSessionRow | undefined {
    const id = effortWindowBefore(this.#db, window)
    return id === undefined ? undefined : this.session(id)
  }

  /** The newest window of an effort, except sub-agents'. */
  lastSession(effortId: number): WorkSessionRow | undefined {
    return this.#one(
      "SELECT * FROM effort_windows WHERE effort_id = ? AND agent_id = '' ORDER BY id DESC LIMIT 1",
      effortId,
    )
  }

  addSession(
    session: Pick<WorkSessionRow, 'effortId' | 'prevSessionId' | 'agent' | 'nativeId' | 'agentId' | 'runId'> &
      Partial<Pick<WorkSessionRow, 'recoveredFrom'>>,
    now: number,
  ): WorkSessionRow {
    const { lastInsertRowid } = this.#run(
      `INSERT INTO effort_windows (effort_id, prev_session_id, agent, native_id, agent_id, heartbeat_counter, context_usage,
                             loaded_files, run_id, recovered_from, started_at)
       VALUES (?, ?, ?, ?, ?, 0, 0, '[]', ?, ?, ?)`,
      session.effortId,
      session.prevSessionId,
      session.agent,
      session.nativeId,
      session.agentId,
      session.runId,
      session.recoveredFrom ?? null,
      now,
    )
    this.#newest.clear()
    return this.session(Number(lastInsertRowid)) as WorkSessionRow
  }

  /** Ends a session's open windows: one sub-agent's, its own (''), or all. */
  endSessions(
    of: Pick<WorkSessionRow, 'agent' | 'nativeId'> & { readonly agentId?: string },
    now: number,
    reason: string,
  ): void {
    this.#windows.clear()
    this.#run(
      `UPDATE effort_windows SET ended_at = ?, end_reason = ?
       WHERE native_id = ? AND agent = ? AND ended_at IS NULL AND (?5 IS NULL OR agent_id = ?5)`,
      now,
      reason,
      of.nativeId,
      of.agent,
      of.agentId ?? null,
    )
  }

  /** Ends an effort's open windows. */
  endEffortSessions(effortId: number, now: number, reason: string): void {
    this.#windows.clear()
    this.#run(
      'UPDATE effort_windows SET ended_at = ?, end_reason = ? WHERE effort_id = ? AND ended_at IS NULL',
      now,
      reason,
      effortId,
    )
  }

  updateSession(id: number, change: Partial<Omit<WorkSessionRow, 'id'>>): void {
    this.#update('effort_windows', id, change)
    const known = this.#windows.get(id)
    if (known) this.#windows.set(id, { ...known, ...change })
  }

  /** Like `updateSession`, for every tool call. */
  countCall(id: number, heartbeatCounter: number, contextUsage: number): void {
    const sql = 'UPDATE effort_windows SET heartbeat_counter = ?, context_usage = ? WHERE id = ?'
    this.#run(sql, heartbeatCounter, contextUsage, id)
    const known = this.#windows.get(id)
    if (known) this.#windows.set(id, { ...known, heartbeatCounter, contextUsage })
  }

  addMessage(message: MessageRow): void {
    const { sessionId, role, content, toolName, at } = message
    const { lastInsertRowid } = this.#run(
      'INSERT INTO messages (session_id, role, content, tool_name, at) VALUES (?, ?, ?, ?, ?)',
      sessionId,
      role,
      content,
      toolName,
      at,
    )
    if (Number(lastInsertRowid) % 100 !== 0) return
    this.#run(
      `DELETE FROM messages WHERE session_id = ?1 AND id <=
         (SELECT id FROM messages WHERE session_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${KEPT.windowMessages})`,
      sessionId,
    )
  }

  /** Whether the window's session or one of its sub-agents logged something. */
  hasLogged(id: number): boolean {
    const sql = `SELECT 1 AS found FROM effort_windows s JOIN messages m ON m.session_id = s.id
       WHERE (s.id = ?1 OR (s.prev_session_id = ?1 AND s.agent_id <> '')) AND m.role = 'log' LIMIT 1`
    return this.#one(sql, id) !== undefined
  }

  messages(sessionId: number): MessageRow[] {
    return this.#all('SELECT * FROM messages WHERE session_id = ? ORDER BY id', sessionId)
  }

  /** The latest messages of all windows of an effort, oldest first. */
  latestMessages(effortId: number, limit: number): MessageRow[] {
    return this.#all<MessageRow>(
      `SELECT * FROM messages WHERE session_id IN (SELECT id FROM effort_windows WHERE effort_id = ?)
       ORDER BY id DESC LIMIT ?`,
      effortId,
      limit,
    ).reverse()
  }

  agent(id: string): AgentRow | undefined {
    return this.#one('SELECT * FROM agents WHERE id = ?', id)
  }

  /** The last updated first. */
  agents(): AgentRow[] {
    return this.#all('SELECT * FROM agents ORDER BY updated_at DESC, id')
  }

  putAgent(agent: AgentRow): void {
    const { id, label, effortId, status, detail, updatedAt } = agent
    this.#run(
      `INSERT INTO agents (id, label, effort_id, status, detail, updated_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET label = excluded.label, effort_id = excluded.effort_id, status = excluded.status,
         detail = excluded.detail, updated_at = excluded.updated_at`,
      id,
      label,
      effortId,
      status,
      detail,
      updatedAt,
    )
  }

  /** Column names come from the types above, never from outside. */
  #update(table: 'efforts' | 'effort_windows', id: number, change: Readonly<Record<string, unknown>>): void {
    const entries = Object.entries(change)
    if (entries.length === 0) return
    const columns = entries.map(([name]) => `${snake(name)} = ?`).join(', ')
    const values = entries.map(([name, value]) => (JSON_COLUMNS.has(name) ? JSON.stringify(value) : value))
    this.#run(`UPDATE ${table} SET ${columns} WHERE id = ?`, ...(values as Value[]), id)
  }

  #run(sql: string, ...values: Value[]): { lastInsertRowid: number | bigint } {
    return this.#db.query(sql).run(...values)
  }

  #one<Row>(sql: string, ...values: Value[]): Row | undefined {
    const row = this.#db.query<Record<string, unknown>, Value[]>(sql).get(...values)
    return row ? fromRow<Row>(row) : undefined
  }

  #all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.#db
      .query<Record<string, unknown>, Value[]>(sql)
      .all(...values)
      .map((row) => fromRow<Row>(row))
  }
}

function fromRow<Row>(row: Record<string, unknown>): Row {
  const made: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    const name = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    made[name] = JSON_COLUMNS.has(name) ? JSON.parse(String(value)) : value
  }
  return made as Row
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
