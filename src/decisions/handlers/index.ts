/**
 * Commands that the user registered for events: asked while an agent waits or run afterwards, each under limits, and left
 * alone for a while when they fail.
 */

export { Handlers } from './handlers.ts'
export { withSecrets } from './restore-secrets.ts'
export { handlerEnv } from './run.ts'
export { isAbout, specWarnings } from './warm-folder.ts'
export type { FromWorker, Loaded, ToWorker, WarmSpec } from './warm-worker.ts'
