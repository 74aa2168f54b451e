/** A channel with what a test cares about. */
import type { Channel } from './channels/channel.ts'

export function channelOf(parts: Partial<Channel> = {}): Channel {
  return {
    name: 'one',
    kind: 'webhook',
    enabled: true,
    reasons: ['permission', 'question', 'plan', 'elicitation', 'error', 'done'],
    afterMs: 0,
    cooldownMs: 0,
    maxPerMinute: 100,
    onlyUnfocused: false,
    inQuietHours: false,
    withWords: true,
    timeoutMs: 2_000,
    form: '9',
    file: '',
    player: '',
    topic: '',
    chatId: '',
    url: () => '',
    token: () => undefined,
    ...parts,
  }
}
