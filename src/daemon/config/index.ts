/**
 * The user's configuration without a daemon: check, show, change. Separate from `daemon/index.ts`, because a start of the
 * daemon needs none of it.
 *
 *   await configProblems(places())   // ['/home/me/.config/gantry/gantry.toml:3: http.port: takes a number, not text']
 */
import { plannedNats } from '../../bus/service.ts'
import { GantryError, messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { ruleProblems } from '../../decisions/rules/rule-files.ts'
import type { ConfigRow } from '../../rpc/index.ts'
import { loadConfig } from './config.ts'
import { configRows } from './rows.ts'
import { choicesAt, schemaFor } from './schema.ts'

export { ruleProblems } from '../../decisions/rules/rule-files.ts'
export { editConfig } from './edit.ts'
export { configFindings } from './findings.ts'
export { namedKeys, rowsAt } from './named-rows.ts'
export { overridesOf } from './rows.ts'

type Env = Readonly<Record<string, string | undefined>>

/** All problems, in gantry.toml, of the NATS that it plans, and in every rules file. */
export async function configProblems(places: Places): Promise<string[]> {
  const found = await fileProblems(places)
  if (found.length === 0) {
    const { config } = await loadConfig(places.configFile)
    for (const { message } of plannedNats(config, places).problems)
      found.push(`${places.configFile}: nats: ${message}`)
  }
  return [...found, ...(await ruleProblems(places.rules))]
}

export async function fileProblems({ configFile }: Places): Promise<string[]> {
  try {
    await loadConfig(configFile)
    return []
  } catch (error) {
    const details = error instanceof GantryError ? error.details : undefined
    return Array.isArray(details) ? details.map(String) : [messageOf(error)]
  }
}

/** The words that this key takes; empty if it takes more than a few. */
export function choicesOf(key: string): string[] {
  const path = key.split('.')
  return choicesAt(schemaFor(path.slice(0, 1)), path)
}

/** The configuration that a daemon started here would use; without an environment, what the file alone says. */
export async function storedRows({ configFile }: Places, env: Env = process.env): Promise<ConfigRow[]> {
  const { config, text } = await loadConfig(configFile)
  return configRows(config, text, env)
}
