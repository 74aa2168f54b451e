/**
 * The composition: one process that owns the database and the doors.
 *
 *   const daemon = await startDaemon({ places: places() })
 *   await daemon.stop()
 *
 * What a start does not need is not behind this door: `config/schema.ts` is for the docs.
 */
export { type Daemon, startDaemon } from './daemon.ts'
