/**
 * Payloads understood, and watched: the shape of each agent's events by version, learned from what came; what differs
 * between two versions or from a baseline; types made from it. Pure: no I/O, the clock is an argument.
 */
export {
  type Difference,
  type DifferenceKind,
  diffShape,
  diffShapes,
  isRequired,
  SEVERITIES,
  type Severity,
} from './diff.ts'
export { formatOf, learn, typeOf } from './learn.ts'
export {
  enumOf,
  type Field,
  type JsonType,
  type Kind,
  kindKey,
  newShape,
  presence,
  type Shape,
  typesOf,
} from './shape.ts'
export { jsonSchemaOf, typescriptOf } from './types.ts'
export { SchemaWatch, type Told, toldKey } from './watch.ts'
