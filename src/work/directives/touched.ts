/** The folders a tool call works in, read from its input. The input is untrusted; nothing is opened here. */
import { dirname, isAbsolute, resolve } from 'node:path'
import { toolsThat } from '../../agents/facts.ts'

const FILE_TOOLS = toolsThat('read', 'write', 'edit')
/** Input fields that hold a file's path. */
const FILE_FIELDS = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'path']

/** Tools that name a folder, or run in the current one. */
const FOLDER_TOOLS = toolsThat('search')
const FOLDER_FIELDS = ['dir_path', 'path']

const PATCH_TOOLS = toolsThat('patch')
const NONE: readonly string[] = []

const PATCH_LINE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm
const MAX_PATCH_CHARS = 256 * 1024
const MAX_FOLDERS = 20 // per call
const MAX_PATH_CHARS = 4096

/** Absolute folder paths as the input names them; empty for tools that touch no file. */
export function touchedFolders(toolName: string, toolInput: unknown, cwd: string): readonly string[] {
  if (typeof toolInput !== 'object' || toolInput === null || !isAbsolute(cwd)) return NONE
  const input = toolInput as Readonly<Record<string, unknown>>
  if (FOLDER_TOOLS.has(toolName))
    return [resolve(cwd, FOLDER_FIELDS.map((field) => input[field]).find(isPath) ?? '.')]
  const files = FILE_TOOLS.has(toolName)
    ? FILE_FIELDS.map((field) => input[field])
    : patchedFiles(toolName, input)
  if (files.length === 0) return NONE
  return [...new Set(files.filter(isPath).map((path) => dirname(resolve(cwd, path))))].slice(0, MAX_FOLDERS)
}

/** Codex: the patch is the whole input, or a here-document of a shell command. */
function patchedFiles(toolName: string, input: Readonly<Record<string, unknown>>): readonly unknown[] {
  const text = [input.command, input.input, input.patch].find((one) => typeof one === 'string')
  if (typeof text !== 'string') return NONE
  if (!PATCH_TOOLS.has(toolName) && !text.startsWith('apply_patch')) return NONE
  return [...text.slice(0, MAX_PATCH_CHARS).matchAll(PATCH_LINE)].map(([, path]) => path?.trim())
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_PATH_CHARS && !value.includes('\0')
}
