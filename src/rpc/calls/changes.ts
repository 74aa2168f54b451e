/** What a session changed in files: exact edits. */
import { z } from 'zod'
import { defineRpc } from '../definition.ts'

/** A part of a diff. Line numbers are 0 where only the edited piece of the file is known. */
export interface ChangeHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** With ' ', '-' or '+' before them. */
  readonly lines: readonly string[]
}

export interface ChangeEdit {
  /** Sequence of the event. */
  readonly seq: number
  readonly at: number
  /** Sequence of the prompt it belongs to. */
  readonly promptSeq?: number
  readonly tool: string
  readonly agentId?: string
  readonly kind: 'write' | 'edit' | 'patch' | 'delete'
  /** The replaced text and what replaced it; of a write, the whole file. Absent where they are unknown or long. */
  readonly before?: string
  readonly after?: string
  /** Absent where they are left out. */
  readonly hunks?: readonly ChangeHunk[]
  readonly movedFrom?: string
  readonly added: number
  readonly removed: number
}

export interface ChangedFile {
  readonly path: string
  /** Below the repository or the session's folder; else the path itself. */
  readonly rel: string
  /** Oldest first. */
  readonly edits: readonly ChangeEdit[]
  /** From before the first edit to after the last, where both are known. */
  readonly net?: readonly ChangeHunk[]
  /** The session made it. */
  readonly created: boolean
  /**
   * Whether the file is now what the edits left. Where only pieces of it are known, those are looked for. `gone`: it is not
   * there. `unknown`: it may not be looked at, is large, or a secret in it was redacted.
   */
  readonly disk: 'same' | 'changed' | 'gone' | 'unknown'
  readonly added: number
  readonly removed: number
}

export interface SessionChanges {
  /** Those with edits, oldest first. */
  readonly prompts: readonly { readonly seq: number; readonly at: number; readonly text: string }[]
  /** Last changed first. */
  readonly files: readonly ChangedFile[]
  /** Earlier edits, or the texts of some, are left out. */
  readonly cut: boolean
}

export const changesCalls = {
  'sessions.changes': defineRpc({
    summary:
      'What a session changed in files: every edit by file and prompt, and whether the disk still has it',
    args: z.strictObject({ session: z.string().min(1).describe('id, the beginning of one, or name') }),
    result: z.custom<SessionChanges>(),
    example: { session: 'brave-otter' },
  }),
}
