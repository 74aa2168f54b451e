/** Prompts that Copilot itself writes, e.g. for a background shell that has ended (1.0.102). */
export function isInjected(prompt: string): boolean {
  return prompt.startsWith('<system_notification>')
}
