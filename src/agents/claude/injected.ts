/** Prompts that Claude Code 2.1.325 writes itself as if a person had typed them. On the hook path. */

/** Prefix of a message from a teammate or another session. It triggers no hook, but is in the transcript. */
export const PEER_MESSAGE = 'Another Claude session sent a message:'

/** A finished background task arrives as a UserPromptSubmit that nobody typed. */
const BEGINNINGS = ['<task-notification>', '<system-reminder>', PEER_MESSAGE]

export function isInjected(prompt: string): boolean {
  return BEGINNINGS.some((beginning) => prompt.startsWith(beginning))
}
