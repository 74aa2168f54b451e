/** What an agent writes of the sessions that are open in its terminals, before any hook tells of them. */
export interface PresenceReader {
  /** The folder of the agent. */
  folder(env: Readonly<Record<string, string | undefined>>, home: string): string
  /** The file in it that is written whenever a session is opened or closed. */
  readonly file: string
  /** Those that are open; nothing for a text that is not whole. */
  read(text: string): readonly Opened[]
  /** The folder of one session, below the agent's. */
  placeOf(sessionId: string): string
  /** The file there that tells where the session runs. */
  readonly about: string
  /** What the names of the files there, and that file, tell. */
  whereabouts(names: readonly string[], about: string): { readonly pid?: number; readonly cwd?: string }
}

export interface Opened {
  readonly sessionId: string
  /** Since when, by the agent's clock. */
  readonly at: number
}
