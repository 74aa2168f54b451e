/**
 * Learns the shape of each agent's payloads by version, compares versions and baselines, and generates types. Pure: no
 * I/O, the clock is an argument.
 */
export { baselineOf, expectedAll, parseBaseline } from './baselines/baseline.ts'
export { Baselines } from './baselines/baselines.ts'
export { DOCUMENTED, SHIPPED } from './baselines/shipped.ts'
export {
  changeText,
  differenceText,
  diffPairs,
  diffVersions,
  SEVERITIES,
  together,
} from './drift/diff.ts'
export { type Drift, driftKey, type News, SchemaWatch, type VersionChange } from './drift/watch.ts'
export { type Expected, expectedOf, overlay } from './expected.ts'
export { fieldCount, learn } from './learn.ts'
export { mergeShapes, mergeTools } from './merge.ts'
export {
  enumOf,
  isInsideTool,
  isToolData,
  kindKey,
  newShape,
  presence,
  reviveShape,
  typesOf,
} from './shape.ts'
export { jsonSchemaOf, typescriptOf } from './types.ts'
export { type Unseen, unseenEvents } from './unseen.ts'
