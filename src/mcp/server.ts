/** The server: its tools, and how every answer and every error leaves it. */
import { McpServer } from '@modelcontextprotocol/server'
import { GantryError, messageOf, plainly } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { VERSION } from '../core/version.ts'
import { fenced, text } from './answer.ts'
import { whyDenied } from './decisions.ts'
import { editingNow, fileHistory } from './files.ts'
import { Project } from './project.ts'
import { search, session, timeline } from './sessions.ts'
import type { Tool } from './tool.ts'
import { efforts, logProgress } from './work.ts'

export interface ServerParts {
  readonly places: Places
  /** Where it was started: its project is the agent's own. */
  readonly folder: string
}

const TOOLS: readonly Tool[] = [
  search,
  session,
  timeline,
  fileHistory,
  editingNow,
  whyDenied,
  efforts,
  logProgress,
]

const INSTRUCTIONS =
  'What every coding agent did in this project, as gantry recorded it. Look here before you change a file that another session may be changing, and when a call was denied.'

export function mcpServer({ places, folder }: ServerParts): McpServer {
  const server = new McpServer({ name: 'gantry', version: VERSION }, { instructions: INSTRUCTIONS })
  const project = new Project(places, folder)
  for (const { name, description, args, writes, answer } of TOOLS)
    server.registerTool(
      name,
      {
        description,
        inputSchema: args,
        annotations: { readOnlyHint: !writes, openWorldHint: false, ...(writes ? DESTROYS_NOTHING : {}) },
      },
      async (given) => {
        try {
          return { content: [{ type: 'text', text: fenced(await answer(given, { places, project })) }] }
        } catch (error) {
          return { content: [{ type: 'text', text: problem(error) }], isError: true }
        }
      },
    )
  return server
}

const DESTROYS_NOTHING = { destructiveHint: false }
const MAX_PROBLEM_CHARS = 1_000

/** One line that says what to do; a daemon that is away is nothing that an agent has to repair. */
function problem(thrown: unknown): string {
  const error = plainly(thrown)
  const said = text(messageOf(error), MAX_PROBLEM_CHARS)
  const isAway = error instanceof GantryError && error.code === 'DAEMON_AWAY'
  return isAway ? `${said} Tell the person, and go on without gantry: your work does not depend on it.` : said
}
