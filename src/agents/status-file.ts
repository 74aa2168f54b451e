/** What an agent writes about itself while it runs, beside its hooks: whether it works, asks, or waits for a prompt. */
export interface Status {
  readonly sessionId: string
  readonly status: 'busy' | 'waiting' | 'idle'
  /** Since when, by the agent's clock. */
  readonly at: number
}

export interface StatusReader {
  /** The file of one process. */
  path(env: Readonly<Record<string, string | undefined>>, home: string, pid: number): string
  /** Nothing for a text that is not whole, or a status nobody knows. */
  read(text: string): Status | undefined
}
