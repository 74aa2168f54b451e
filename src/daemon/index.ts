/**
 * The composition: one process that owns the database and the doors.
 *
 *   const daemon = await startDaemon({ places: places() })
 *   await daemon.stop()
 */
export { describeCalls } from './calls.ts'
export { type Config, configSchema, DEFAULT_CONFIG, loadConfig, parseConfig } from './config.ts'
export { type Daemon, startDaemon } from './daemon.ts'
export {
  isLearned,
  kindOf,
  MAX_LEARNED_BYTES,
  payloadOf,
  type Recorded,
  recordedOf,
} from './schema-source.ts'
