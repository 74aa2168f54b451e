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
/** A path in a repository on a server, in a bucket, in a page: no file of this machine. */
const ELSEWHERE = ['repo', 'repository', 'owner', 'project_id', 'projectId', 'bucket', 'url', 'selector']
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
  const isVerb = typeof command === 'string' && VERBS.has(command) && pathsIn(fields).length > 0
  const words = Array.isArray(args) ? args.filter((word) => typeof word === 'string') : []
  return COMMAND_FIELDS.flatMap((name): (string | readonly string[])[] => {
    const value = fields[name]
    if (isVerb && name === 'command') return []
    if (isWords(value)) return [value]
    if (typeof value !== 'string') return []
    return [words.length > 0 && !/\s/.test(value) ? [value, ...words] : value]
  })
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
}

interface McpFile {
  readonly path: string
  readonly how: 'write' | 'edit' | 'delete'
}

/** Files that a tool of a server writes, moves or deletes. */
export function mcpFiles({ name, input }: HookTool): McpFile[] {
  const fields = localFields(name, input)
  if (!fields) return []
  const { source, destination } = fields
  if (typeof source === 'string' && typeof destination === 'string')
    return [
      ...(/copy|cp/i.test(mcpName(name)) ? [] : [{ path: source, how: 'delete' } as const]),
      { path: destination, how: 'write' },
    ]
  const paths = pathsIn(fields)
  if (DELETES.test(mcpName(name))) return paths.map((path) => ({ path, how: 'delete' }))
  const hasText = TEXT_FIELDS.some((field) => fields[field] !== undefined)
  return hasText || WRITES.test(mcpName(name)) ? paths.map((path) => ({ path, how: 'write' })) : []
}

/** Files that it only names, so it reads them. */
export function mcpReads(tool: HookTool): string[] {
  const fields = localFields(tool.name, tool.input)
  if (!fields) return []
  const { source, destination } = fields
  if (typeof source === 'string' && typeof destination === 'string') return [source]
  return mcpFiles(tool).length > 0 || /^_*(?:list|directory|tree)/.test(mcpName(tool.name))
    ? []
    : pathsIn(fields)
}

function localFields(name: string, input: unknown): Fields | undefined {
  if (!isMcpTool(name)) return undefined
  const fields = objectOf(input)
  return fields && !ELSEWHERE.some((field) => fields[field] !== undefined) ? fields : undefined
}

function pathsIn(fields: Fields): string[] {
  const single = PATH_FIELDS.map((field) => fields[field]).filter((value) => typeof value === 'string')
  const many = isWords(fields.paths) ? fields.paths : []
  return [...single, ...many].flatMap((path) => {
    const local = path.replace(/^file:\/\//, '')
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(local) ? [] : [local]
  })
}
