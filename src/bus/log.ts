/** Where the bus writes what happens; the daemon's log is one. */
export interface BusLog {
  info(room: string, message: string): void
  warn(room: string, message: string): void
  error(room: string, message: string): void
}
