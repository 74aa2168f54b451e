/**
 * Tools of MCP servers, as far as the names of their fields are plain: a `command` is a command line, a `path` with text is a
 * file that is written. What a server calls otherwise nobody knows.
 *
 *   mcpCommands({ command: 'ls' })   // ['ls'], for mcp__desktop__execute_command
 */
import { FILE_FIELDS } from '../../core/text/subject.ts'
import type { HookTool } from '../../events/index.ts'
import { objectOf } from '../transcripts/transcript.ts'
import { isMcpTool, mcpName } from './mcp-name.ts'

type Fields = Readonly<Record<string, unknown>>

const COMMAND_FIELDS = ['command', 'cmd', 'script', 'commandLine', 'command_line']
const PATH_FIELDS = [...FILE_FIELDS, 'filepath', 'filename', 'uri']
const TEXT_FIELDS = [
  'content',
  'contents',
  'text',
  'file_text',
  'new_string',
  'newText',
  'new_str',
  'edits',
  'data',
  'patch',
]
/** Their relative paths are in a repository or a bucket, and no files of this machine. A field may say so of any server: it counts for nothing. */
const FAR_SERVERS = /github|gitlab|gitea|forgejo|bitbucket|codeberg|azure|s3|gcs|minio|supabase/i
const LOCAL_PATH = /^(?:[/~\\]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/
/** What an MCP editor tool does to the file of `path`. */
const VERBS: ReadonlySet<string> = new Set([
  'view',
  'create',
  'str_replace',
  'insert',
  'undo_edit',
  'read',
  'write',
  'edit',
])
const DELETES = /delete|remove|unlink|trash/i
const WRITES = /write|create|edit|append|save|mkdir|insert|replace|update|touch/i

/** The command line of each field, or its words; `args` stand behind it. */
export function mcpCommands(fields: Fields): readonly (string | readonly string[])[] {
  const { command, args } = fields
  const isVerb =
    typeof command === 'string' &&
    VERBS.has(command) &&
    PATH_FIELDS.some((field) => textsOf(fields[field])[0])
  const words = Array.isArray(args) ? textsOf(args) : []
  return COMMAND_FIELDS.flatMap((name): (string | readonly string[])[] => {
    const value = fields[name]
    if (isVerb && name === 'command') return []
    if (typeof value !== 'string') {
      const texts = textsOf(value)
      return texts.length > 0 ? [texts] : []
    }
    return [words.length > 0 && !/\s/.test(value) ? [value, ...words] : value]
  })
}

/** The texts of a list, whatever else is in it; of a text itself. */
function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((word) => typeof word === 'string')
}

interface McpFile {
  readonly path: string
  readonly how: 'write' | 'edit' | 'delete'
}

/** Files that a tool of a server writes, moves or deletes. */
export function mcpFiles({ name, input }: HookTool): McpFile[] {
  const fields = fieldsOf(name, input)
  if (!fields) return []
  const own = mcpName(name)
  const paths = pathsIn(name, fields)
  const hasText = TEXT_FIELDS.some((field) => fields[field] !== undefined)
  const isWrite = hasText || WRITES.test(own)
  const how: McpFile['how'] | undefined = DELETES.test(own) ? 'delete' : isWrite ? 'write' : undefined
  return [...movedBy(own, fields), ...(how ? paths.map((path) => ({ path, how })) : [])]
}

function movedBy(own: string, { source, destination }: Fields): McpFile[] {
  if (typeof source !== 'string' || typeof destination !== 'string') return []
  const written: McpFile = { path: destination, how: 'write' }
  return /copy|cp/i.test(own) ? [written] : [{ path: source, how: 'delete' }, written]
}

/** Files that it names, and may read: only a name that says that it writes is believed, since any tool can be given a text. */
export function mcpReads({ name, input }: HookTool): string[] {
  const fields = fieldsOf(name, input)
  if (!fields) return []
  const own = mcpName(name)
  const { source, destination } = fields
  const copied = typeof source === 'string' && typeof destination === 'string' ? [source] : []
  const isOther = WRITES.test(own) || DELETES.test(own) || /^_*(?:list|directory|tree)/.test(own)
  return isOther ? copied : [...copied, ...pathsIn(name, fields)]
}

function fieldsOf(name: string, input: unknown): Fields | undefined {
  return isMcpTool(name) ? objectOf(input) : undefined
}

function pathsIn(name: string, fields: Fields): string[] {
  const isFar = FAR_SERVERS.test(name.slice(0, -mcpName(name).length))
  return [...PATH_FIELDS, 'paths']
    .flatMap((field) => textsOf(fields[field]))
    .flatMap((path) => {
      const local = path.replace(/^file:\/\//, '')
      const isElsewhere = /^[a-z][a-z0-9+.-]*:\/\//i.test(local) || (isFar && !LOCAL_PATH.test(local))
      return isElsewhere ? [] : [local]
    })
}
