/** Converts the JSON Schemas that Codex ships for its hooks to baseline fields. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Schema {
  readonly type?: string | readonly string[]
  readonly $ref?: string
  readonly enum?: readonly string[]
  readonly const?: string
}

interface InputSchema {
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly properties: Readonly<Record<string, Schema | true>>
  readonly required: readonly string[]
}

/** Event → its fields. The schemas allow no others. */
export function schemaEvents(dir: string): Record<string, Record<string, string>> {
  const files = readdirSync(dir).filter((name) => name.endsWith('.input.schema.json'))
  const events = files.map((file) => {
    const schema = JSON.parse(readFileSync(join(dir, file), 'utf8')) as InputSchema
    const { hook_event_name: name } = schema.properties
    if (name === undefined || name === true || name.const === undefined)
      throw new Error(`${file} names no event`)
    return [name.const, fieldsOf(schema)] as const
  })
  return Object.fromEntries(events)
}

function fieldsOf({ properties, required, definitions = {} }: InputSchema): Record<string, string> {
  const fields = Object.entries(properties).map(([name, given]) => {
    const reference = given === true ? undefined : given.$ref?.split('/').at(-1)
    const schema = reference === undefined ? given : (definitions[reference] ?? true)
    return [required.includes(name) ? name : `${name}?`, wordsOf(schema)] as const
  })
  return Object.fromEntries(fields)
}

function wordsOf(schema: Schema | true): string {
  if (schema === true || schema.type === undefined) return 'any'
  const types = [schema.type].flat().join(' | ')
  return schema.enum ? `${types} = ${schema.enum.join(' | ')}` : types
}
