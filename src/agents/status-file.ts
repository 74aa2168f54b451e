/** A status file that an agent writes while it runs: whether it works, asks, or waits for a prompt. */
export interface Status {
  readonly sessionId: string
  readonly status: 'busy' | 'waiting' | 'idle'
  /** Start time of the status, by the agent's clock. */
  readonly at: number
}

export interface StatusReader {
  /** The file of one process. */
  path(env: Readonly<Record<string, string | undefined>>, home: string, pid: number): string
  /** Undefined if the text is incomplete or the status unknown. */
  read(text: string): Status | undefined
}
