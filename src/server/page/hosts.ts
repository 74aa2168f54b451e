/**
 * Other hosts of the fleet, for pages: read while somebody looks and there is a fleet, and told when something changed. All
 * pages share one reading.
 */
import type { FleetSessions } from '../../rpc/index.ts'
import type { SendMessage } from '../websocket.ts'

const READ_MS = 2_000 // heartbeats of hosts come every five seconds, changes of sessions at once

interface FleetWatchParts {
  /** There may be other hosts. */
  readonly isShared: () => boolean
  readonly read: () => Promise<FleetSessions>
}

interface Reader {
  readonly send: SendMessage
  told: string
  isFull: boolean
}

export class FleetWatch {
  readonly #parts: FleetWatchParts
  readonly #readers = new Set<Reader>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #last = ''

  constructor(parts: FleetWatchParts) {
    this.#parts = parts
  }

  subscribe(send: SendMessage): { resume(): void; close(): void } {
    const reader: Reader = { send, told: '', isFull: false }
    this.#readers.add(reader)
    this.#tell(reader)
    if (this.#timer === undefined) this.#soon(0)
    return {
      resume: () => {
        reader.isFull = false
        this.#tell(reader)
      },
      close: () => {
        this.#readers.delete(reader)
        if (this.#readers.size > 0) return
        clearTimeout(this.#timer)
        this.#timer = undefined
        this.#last = ''
      },
    }
  }

  #soon(ms: number): void {
    this.#timer = setTimeout(() => void this.#read(), ms)
    this.#timer.unref()
  }

  async #read(): Promise<void> {
    try {
      const message = this.#parts.isShared() ? messageFor(await this.#parts.read()) : ''
      // Without a fleet nothing is said; a fleet that is gone is.
      this.#last = message === '' && this.#last !== '' ? JSON.stringify({ hosts: [] }) : message
    } catch {
      // the next reading may succeed
    }
    for (const reader of this.#readers) this.#tell(reader)
    if (this.#readers.size > 0) this.#soon(READ_MS)
  }

  #tell(reader: Reader): void {
    if (reader.isFull || this.#last === '' || reader.told === this.#last) return
    reader.told = this.#last
    reader.isFull = !reader.send(this.#last)
  }
}

/** The other hosts, each with its sessions. Nothing that changes with every heartbeat, so that quiet hosts are quiet. */
function messageFor({ hosts, sessions, problem }: FleetSessions): string {
  const others = hosts.filter(({ self }) => !self)
  if (others.length === 0 && problem === null) return ''
  return JSON.stringify({
    hosts: others.map(({ host, state, heardAt, version }) => ({
      ...{ host, state, version },
      ...(state === 'here' ? {} : { heardAt }),
      sessions: sessions.filter((session) => session.host === host),
    })),
    ...(problem === null ? {} : { problem }),
  })
}
