/**
 * This host among others on one NATS: what it tells of itself and of its sessions, what the others tell, and the streams
 * that all of them fill.
 */
export { type HostRecords, HostsBus } from './hosts.ts'
