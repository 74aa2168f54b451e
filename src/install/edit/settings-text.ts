/** Decodes settings files and recognizes our entries in them. */
import type { AgentSettings, HookClient, Json } from '../../agents/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Ours } from '../plan.ts'
import { parseDoc, toValue } from './json-doc.ts'

/** Rejects bytes that would not survive a round trip. */
export function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new GantryError(
      'BAD_CONFIG',
      `${file} is not UTF-8 text. Nothing was written. Save it as UTF-8 and run this again.`,
      {
        cause,
      },
    )
  }
}

export function settingsIn(text: string, file: string): Json | undefined {
  return toValue(parseDoc(text, file).root)
}

/** For a lost receipt: entries that equal what gantry would write. Containers that become empty count as ours, too. */
export function recognised(text: string, file: string, settings: AgentSettings, client: HookClient): Ours {
  const entries = settings.recognise(settingsIn(text, file), client)
  const paths = entries.flatMap(({ kind, path }) => (kind === 'append' ? [path.slice(0, 1), path] : []))
  const containers = new Map(paths.map((path) => [JSON.stringify(path), path]))
  return { entries, containers: [...containers.values()] }
}

/** Exactly `{}`, without even a comment. */
export function isEmptySettings(text: string): boolean {
  return /^\uFEFF?\s*(\{\s*\})?\s*$/.test(text)
}
