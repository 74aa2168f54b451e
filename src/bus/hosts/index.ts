/** This host among others on one NATS: what it shares, what the others share, and the streams that all of them fill. */
export { type HostRecords, HostsBus } from './hosts.ts'
export { HostsLink } from './link.ts'
