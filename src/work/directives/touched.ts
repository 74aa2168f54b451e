/** The folders a tool call works in, read from its input. The input is untrusted; nothing is opened here. */
import { dirname, isAbsolute, resolve } from 'node:path'
import { toolsThat } from '../../agents/facts.ts'
import { patchText, readFiles, touchedFiles } from '../../agents/index.ts'
import { patchedFiles } from '../../core/text/patch.ts'
import type { HookTool } from '../../events/index.ts'

/** Tools that name a folder, or run in the current one. */
const FOLDER_TOOLS = toolsThat('search')
const FOLDER_FIELDS = ['dir_path', 'path']

const NONE: readonly string[] = []
const MAX_FOLDERS = 20 // per call
const MAX_PATH_CHARS = 4096
const MAX_PATCH_CHARS = 256 * 1024 // a hostile one could name files by the hundred thousand

/** Absolute folder paths as the input names them; empty for tools that touch no file. */
export function touchedFolders(tool: HookTool, cwd: string): readonly string[] {
  if (!isAbsolute(cwd)) return NONE
  if (FOLDER_TOOLS.has(tool.name)) {
    const fields = (tool.input ?? {}) as Readonly<Record<string, unknown>>
    return [resolve(cwd, FOLDER_FIELDS.map((field) => fields[field]).find(isPath) ?? '.')]
  }
  const files = [...touchedFiles({ tool, cwd }), ...readFiles(tool, cwd), ...patchedInShell(tool)]
  const paths = files.map(({ path }) => path).filter(isPath)
  return [...new Set(paths.map((path) => dirname(resolve(cwd, path))))].slice(0, MAX_FOLDERS)
}

/** Codex may give a shell the patch: as the words of a command line, or as a here-document. */
function patchedInShell({ input }: HookTool): readonly { readonly path: string }[] {
  const text = patchText(input)
  return text.startsWith('apply_patch') ? patchedFiles(text.slice(0, MAX_PATCH_CHARS)) : []
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_PATH_CHARS && !value.includes('\0')
}
