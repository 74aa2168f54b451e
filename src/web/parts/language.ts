/** In which language a text is written, by what stands beside it. Few languages: each costs every browser its size. Pure. */
import { FILE_FIELDS } from '../../core/text/subject.ts'

export type Language = 'bash' | 'go' | 'json' | 'python' | 'rust' | 'typescript' | 'yaml'

const ENDINGS: Readonly<Record<string, Language>> = {
  ...{ ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript' },
  ...{ js: 'typescript', jsx: 'typescript', mjs: 'typescript', cjs: 'typescript' },
  ...{ py: 'python', pyi: 'python', go: 'go', rs: 'rust' },
  ...{ json: 'json', jsonc: 'json', jsonl: 'json', yaml: 'yaml', yml: 'yaml' },
  ...{ sh: 'bash', bash: 'bash', zsh: 'bash' },
}

export function languageOfPath(path: string): Language | undefined {
  return ENDINGS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
}

const COMMANDS = ['command', 'cmd', 'script']
const CONTENTS = [
  'content',
  'new_string',
  'old_string',
  'newString',
  'oldString',
  'file_text',
  'new_str',
  'old_str',
]

/** Of a field of a tool's input or result, which has others beside it. */
export function languageOfField(
  name: string,
  beside: Readonly<Record<string, unknown>>,
): Language | undefined {
  if (COMMANDS.includes(name)) return 'bash'
  if (!CONTENTS.includes(name)) return undefined
  const path = FILE_FIELDS.map((one) => beside[one]).find((one) => typeof one === 'string')
  return typeof path === 'string' ? languageOfPath(path) : undefined
}
