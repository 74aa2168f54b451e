/** Generates types from observed payloads. */
import { writeFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import { jsonSchemaOf, typescriptOf } from '../../insight/schema/index.ts'
import type { Shape } from '../../rpc/index.ts'
import type { Input } from '../framework/define.ts'
import { out } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { noPayload, refuseMisspelt } from './analyze.ts'
import type * as commands from './index.ts'
import { learnedShapes, shapesOfFiles, type Wanted } from './shapes.ts'

export async function run({ flags, places }: Input<typeof commands.types>): Promise<number> {
  const { file: files, out: file } = flags
  const wanted: Wanted = withoutUndefined({ agent: flags.agent, event: flags.event })
  const all = files.length > 0 ? await shapesOfFiles(files, wanted) : await learnedShapes(places, wanted)
  const shapes = ofVersion(all, flags['agent-version'])
  if (all.length === 0) refuseMisspelt(wanted)
  if (shapes.length === 0) throw noPayload(wanted, flags['agent-version'])
  const text = flags['json-schema']
    ? `${JSON.stringify(shapes.map(jsonSchemaOf), null, 2)}\n`
    : typescriptOf(shapes)
  if (file === undefined) out(text)
  else write(file, text)
  return 0
}

/** The given version, or of each agent the version that was seen last. */
function ofVersion(shapes: readonly Shape[], version: string | undefined): Shape[] {
  const latest = new Map<string, Shape>()
  for (const shape of shapes)
    if (shape.lastAt >= (latest.get(shape.agent)?.lastAt ?? 0)) latest.set(shape.agent, shape)
  return shapes
    .filter((shape) => shape.version === (version ?? latest.get(shape.agent)?.version))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function nameOf({ agent, event, tool }: Shape): string {
  return `${agent}\n${event}\n${tool}`
}

export function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw usageError(`${file} cannot be written: ${messageOf(cause)}`, { cause })
  }
}
