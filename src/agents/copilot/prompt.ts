/** What Copilot's own machinery writes as a prompt: a background shell that has ended, for one (1.0.102). */
export function isInjected(prompt: string): boolean {
  return prompt.startsWith('<system_notification>')
}
