/** Files in which an agent lists the open sessions of its terminals, before any hook runs. */
export interface PresenceReader {
  /** The agent's own folder. */
  folder(env: Readonly<Record<string, string | undefined>>, home: string): string
  /** The file in it that changes whenever a session is opened or closed. */
  readonly file: string
  /** The open sessions; none if the text is incomplete. */
  read(text: string): readonly Opened[]
  /** A session's folder, relative to the agent's. */
  placeOf(sessionId: string): string
  /** The file there that tells where the session runs. */
  readonly about: string
  /** Parses the file names there and the content of that file. */
  whereabouts(names: readonly string[], about: string): { readonly pid?: number; readonly cwd?: string }
}

export interface Opened {
  readonly sessionId: string
  /** The time of opening, by the agent's clock. */
  readonly at: number
}
