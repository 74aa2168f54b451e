/** One message on one channel. Never throws, and never takes much longer than the channel's time limit. */
import { messageOf } from '../core/errors.ts'
import type { Channel, Message, Sent } from './channel.ts'
import { playSound, showDesktop } from './programs.ts'
import { ring, showOsc } from './terminal.ts'
import { sendWeb } from './web.ts'

export async function send(channel: Channel, message: Message): Promise<Sent> {
  try {
    return await by(channel, message)
  } catch (error) {
    return { ok: false, detail: messageOf(error) } // a secret that cannot be read
  }
}

function by(channel: Channel, message: Message): Promise<Sent> {
  switch (channel.kind) {
    case 'desktop':
      return showDesktop(channel, message)
    case 'bell':
      return ring(message)
    case 'osc':
      return showOsc(channel, message)
    case 'sound':
      return playSound(channel)
    case 'webhook':
    case 'ntfy':
    case 'slack':
    case 'telegram':
      return sendWeb(channel, message)
  }
}
