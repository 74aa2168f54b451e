/** Formats a message of the bus as one line. */
import type { WireMessage } from '../../client/index.ts'
import { messageTone, messageWords } from '../../timeline/index.ts'
import { byType } from '../events/list.ts'
import { columns, cut, dated, dim, plain, yellow } from '../framework/terminal.ts'

export function lineOf(message: WireMessage): string {
  const time = dated(message.at)
  const seq = String(message.seq).padStart(7)
  const who = `${(message.agent || '-').padEnd(8)} ${(message.session || '-').slice(0, 8).padEnd(8)}`
  const host = message.host === undefined ? '' : `${message.host.slice(0, 12).padEnd(12)} `
  const head = plain(`${time} ${seq}  ${host}${who}  `)
  const subject = plain(message.subject).padEnd(25)
  const again = (message.deliveries ?? 1) > 1 ? ` (delivery ${message.deliveries})` : ''
  const room = Math.max(10, columns() - head.length - subject.length - again.length - 1)
  const detail = cut(plain(messageWords(message)), room)
  return `${dim(head)}${byType(messageTone(message.type))(subject)} ${detail}${again && yellow(again)}`
}
