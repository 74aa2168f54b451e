/** The kinds of channels: how each sends a message, what it needs in gantry.toml, and whether that leaves this machine. */
import { messageOf } from '../../core/errors.ts'
import type { Channel, Kind, Notification, Sent } from './channel.ts'
import { playSound, showDesktop } from './programs.ts'
import { ring, showOsc } from './terminal.ts'
import { ntfy, sendWeb, slack, telegram, webhook } from './web.ts'

export type Needed = 'url' | 'topic' | 'token_file' | 'chat_id' | 'file'

interface ChannelKind {
  readonly send: (channel: Channel, message: Notification) => Promise<Sent>
  /** Settings that must not be empty; `url_file` counts as `url`. */
  readonly needs?: readonly Needed[]
  /** Leaves this machine, so by default it says less. */
  readonly isRemote: boolean
}

export const CHANNELS: Readonly<Record<Kind, ChannelKind>> = {
  desktop: { send: showDesktop, isRemote: false },
  bell: { send: (_, message) => ring(message), isRemote: false },
  osc: { send: showOsc, isRemote: false },
  sound: { send: playSound, needs: ['file'], isRemote: false },
  webhook: { send: sendWeb(webhook), needs: ['url'], isRemote: true },
  ntfy: { send: sendWeb(ntfy), needs: ['topic'], isRemote: true },
  slack: { send: sendWeb(slack), needs: ['url'], isRemote: true },
  telegram: { send: sendWeb(telegram), needs: ['token_file', 'chat_id'], isRemote: true },
}

/** Never throws, and hardly exceeds the channel's time limit. */
export async function send(channel: Channel, message: Notification): Promise<Sent> {
  try {
    return await CHANNELS[channel.kind].send(channel, message)
  } catch (error) {
    return { ok: false, detail: messageOf(error) } // a secret cannot be read
  }
}
