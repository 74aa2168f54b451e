import { resolve } from 'node:path'
import { z } from 'zod'
import { call, type FileWriteView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { realPath } from '../core/files/real-path.ts'
import { age } from '../core/text/amount.ts'
import { counted } from '../core/text/text.ts'
import { utcTime } from '../core/time/days.ts'
import { row, text } from './answer.ts'
import { tool } from './tool.ts'

const MAX_RECENT = 1_000
const MAX_SHOWN = 50

export const fileHistory = tool({
  name: 'file_history',
  description: 'Which sessions changed a file, newest first',
  args: z.object({
    path: z.string().min(1).max(4096).describe('Absolute, or from where you were started'),
    limit: z.int().min(1).max(MAX_SHOWN).default(20),
  }),
  async answer({ path, limit }, { places, project }) {
    const sessions = new Map((await project.sessions()).map((one) => [one.key, one.name]))
    const { columns, rows } = await call(places, 'query', {
      sql: `SELECT f.seq, e.at, f.agent, f.session_id, f.change, e.tool_name
              FROM file_changes f JOIN events e ON e.seq = f.seq
             WHERE f.path = ${literal(realPath(resolve(project.folder, path)))} ORDER BY f.seq DESC`,
      limit: MAX_RECENT,
    })
    const at = (name: string) => columns.indexOf(name)
    const lines = rows.flatMap((one) => {
      const key = `${one[at('agent')]}:${one[at('session_id')]}`
      const name = sessions.get(key)
      if (name === undefined) return []
      return row(
        utcTime(Number(one[at('at')])),
        text(name, 80),
        text(String(one[at('agent')]), 40),
        text(String(one[at('change')]), 40),
        `by ${text(String(one[at('tool_name')] ?? ''), 80)}`,
      )
    })
    if (lines.length === 0) return ['No session of this project is known to have changed it.']
    const more = lines.length - limit
    return [...lines.slice(0, limit), ...(more > 0 ? [`Left out: ${counted(more, 'earlier change')}.`] : [])]
  },
})

/** A text of SQL. It is complete up to a zero byte, and nothing in it but a quote is special. */
function literal(value: string): string {
  if (value.includes('\0')) throw new GantryError('VALIDATION_ERROR', 'The path contains a zero byte.')
  return `'${value.replaceAll("'", "''")}'`
}

export const editingNow = tool({
  name: 'editing_now',
  description: 'Who wrote a file, or files below a folder, in the last minutes; also in other worktrees',
  args: z.object({ path: z.string().min(1).max(4096).default('.').describe('File or folder') }),
  async answer({ path }, { places, project }) {
    const found = await call(places, 'files.recent', {
      path: realPath(resolve(project.folder, path)),
      limit: MAX_RECENT,
    })
    const keys = new Set((await project.sessions()).map(({ key }) => key))
    const now = Date.now()
    // Another host shares only what both have of one repository.
    const own = found.filter(({ session, host }) => host !== undefined || keys.has(session.key))
    if (own.length === 0) return ['No session wrote there lately.']
    return own.slice(0, MAX_SHOWN).map((one) => writeLine(one, now))
  },
})

function writeLine({ path, at, tool, session, ended, host, worktree }: FileWriteView, now: number): string {
  return row(
    `${age(now - at)} ago`,
    text(session.name, 80),
    text(session.agent, 40),
    text(path),
    text(tool, 80),
    worktree !== undefined && `worktree ${text(worktree)}`,
    host !== undefined && `on ${text(host, 80)}`,
    ended && 'that session has ended',
  )
}
