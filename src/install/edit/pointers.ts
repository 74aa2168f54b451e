/**
 * Finds what still starts the hook client, because an agent must never have a hook that points to a missing program.
 */
import { readFileSync } from 'node:fs'
import type { Env, HookClient } from '../../agents/index.ts'
import { homeOf } from '../../core/files/paths.ts'
import { quoted } from '../../core/text/text.ts'
import { wireable } from '../find.ts'
import { filesOf } from '../foreign.ts'
import { settingsIn } from './settings-text.ts'

/** `hooks.PreToolUse`, `statusLine`; `its text` if the file is not JSON. */
export function pointersIn(bytes: Buffer, file: string, client: HookClient, env: Env): string[] {
  const text = bytes.toString()
  try {
    const found = stringsIn(settingsIn(text, file), []).filter(({ value }) => names(value, client.path, env))
    return [...new Set(found.map(({ path }) => path.slice(0, path[0] === 'hooks' ? 2 : 1).join('.')))]
  } catch {
    return names(text, client.path, env) ? ['its text'] : []
  }
}

/** Whether this part of a settings file starts the client in any way. */
export function startsClient(part: unknown, client: HookClient, env: Env): boolean {
  return stringsIn(part, []).some(({ value }) => names(value, client.path, env))
}

/** Whether a text contains this path: plain, quoted, or relative to the home folder. */
export function names(text: string, path: string, env: Env): boolean {
  const full = text.replaceAll(/(?:~|\$HOME|\$\{HOME\})\//g, () => `${homeOf(env)}/`)
  return full.includes(path) || full.includes(quoted(path))
}

export interface Starter {
  readonly file: string
  readonly places: readonly string[]
}

/** The user's settings files of all agents, as far as they can be read. */
export function startersOf(client: HookClient, env: Env): Starter[] {
  const files = wireable().flatMap(({ settings }) =>
    filesOf(settings.folder(env, homeOf(env)), settings.hookFiles.user),
  )
  return [...new Set(files)].flatMap((file) => {
    const bytes = bytesAt(file)
    const places = bytes ? pointersIn(bytes, file, client, env) : []
    return places.length === 0 ? [] : [{ file, places }]
  })
}

interface Found {
  readonly path: readonly string[]
  readonly value: string
}

function stringsIn(value: unknown, path: readonly string[]): Found[] {
  if (typeof value === 'string') return [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => stringsIn(one, [...path, key]))
}

function bytesAt(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
