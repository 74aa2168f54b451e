/** Prompts that Claude Code 2.1.325 writes itself, as if a person had. On the hook path. */

/** How it begins what a teammate, or another session, wrote. No hook runs for it; the transcript has it. */
export const PEER_MESSAGE = 'Another Claude session sent a message:'

/** A finished background task is reported as a UserPromptSubmit that nobody typed. */
const BEGINNINGS = ['<task-notification>', '<system-reminder>', PEER_MESSAGE]

export function isInjected(prompt: string): boolean {
  return BEGINNINGS.some((beginning) => prompt.startsWith(beginning))
}
