/**
 * Builds the daemon: one process that owns the database and all inputs.
 *
 *   const daemon = await startDaemon({ places: places() })
 *   await daemon.stop()
 *
 * Modules that a start does not need are not exported here: `config/schema.ts` is for the docs.
 */
export { type Daemon, startDaemon } from './daemon.ts'
