/**
 * A Notification of type ToolPermission asks the person (`asksPermission`). The asking tool must be inferred from the
 * dialog: there is no id, and the details lack the name.
 */
import { isObject } from '../../core/is-object.ts'
import type { HookTool } from '../../events/index.ts'
import { type FieldMapper, notificationText } from '../fields.ts'
import type { Payload } from '../payload.ts'

/** Prefixes of dialog titles and their tools (0.61.0). */
const TITLES: readonly (readonly [start: string, tool: string])[] = [
  ['Confirm Edit:', 'replace'],
  ['Confirm Write:', 'write_file'],
  ['Confirm Web Fetch', 'web_fetch'],
  ['Activate Skill:', 'activate_skill'],
  ['Enter Plan Mode', 'enter_plan_mode'],
]
/** Title for a tool without its own dialog: `Confirm: <display name>`. */
const PLAIN_TITLE = 'Confirm: '

const mapTitle = notificationText('title')

/** The `details`; the whole stays in `fields`, with the diff of an edit. */
export const confirmation: FieldMapper = (draft, value) => {
  if (!isObject(value) || typeof value.type !== 'string') return 'wrong'
  draft.tool = askingTool(value.type, value)
  const fits = value.title === undefined || mapTitle(draft, value.title) === 'mapped'
  return fits ? 'kept' : 'wrong'
}

function askingTool(type: string, details: Payload): HookTool {
  switch (type) {
    case 'exec':
      return { name: 'run_shell_command', input: { command: details.command } }
    case 'edit':
      return { name: byTitle(details) ?? 'write_file', input: { file_path: details.filePath } }
    case 'mcp': {
      const { serverName, toolName } = details
      const tool: HookTool = { name: `mcp_${text(serverName)}_${text(toolName)}`, input: undefined }
      if (typeof serverName === 'string') tool.mcpServer = serverName
      return tool
    }
    case 'info':
      return { name: byTitle(details) ?? (plainTitle(details) || type), input: { prompt: details.prompt } }
    case 'sandbox_expansion': // a shell command that needs more than its sandbox allows; the command is not given
      return { name: 'run_shell_command', input: undefined }
    default: // ask_user and exit_plan_mode are tools of that name (bundle)
      return { name: type, input: undefined }
  }
}

function byTitle(details: Payload): string | undefined {
  const title = text(details.title)
  return TITLES.find(([start]) => title.startsWith(start))?.[1]
}

function plainTitle(details: Payload): string {
  const title = text(details.title)
  return title.startsWith(PLAIN_TITLE) ? title.slice(PLAIN_TITLE.length) : title
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
