/** Formats a message of the bus as one line. */

import type { WireMessage } from '../../client/index.ts'
import { isObject } from '../../core/is-object.ts'
import { subjectOf } from '../../core/text/subject.ts'
import { ownWords } from '../../timeline/index.ts'
import { colourOf } from '../events/list.ts'
import { clock, columns, cut, dim, green, magenta, plain, red, yellow } from '../framework/terminal.ts'

export function lineOf(message: WireMessage): string {
  const time = clock(message.at)
  const seq = String(message.seq).padStart(7)
  const who = `${(message.agent || '-').padEnd(8)} ${(message.session || '-').slice(0, 8).padEnd(8)}`
  const host = message.host === undefined ? '' : `${message.host.slice(0, 12).padEnd(12)} `
  const head = plain(`${time} ${seq}  ${host}${who}  `)
  const subject = plain(message.subject).padEnd(25)
  const again = (message.deliveries ?? 1) > 1 ? ` (delivery ${message.deliveries})` : ''
  const room = Math.max(10, columns() - head.length - subject.length - again.length - 1)
  const detail = cut(plain(detailOf(message)), room)
  return `${dim(head)}${colour(message)(subject)} ${detail}${again && yellow(again)}`
}

function colour({ stream, type }: WireMessage): (text: string) => string {
  if (stream === 'HOOK_EVENTS') return colourOf(type)
  if (type === 'blocked' || type === 'ask') return yellow
  if (type === 'deny' || type === 'block-stop') return red
  if (type === 'compacting') return magenta
  return type === 'working' || type === 'allow' ? green : (text) => text
}

/** The most telling field of the payload. */
function detailOf(message: WireMessage): string {
  const fields = parsed(message.data)
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  const own = ownWords(message.stream, fields)
  if (own !== undefined) return own
  const tool = text('tool_name')
  if (tool !== undefined) return `${tool}  ${subjectOf(fields.tool_input)}`
  const names = ['prompt', 'message', 'last_assistant_message', 'agent_type', 'source', 'reason', 'cwd']
  return names.map(text).find((found) => found !== undefined) ?? ''
}

function parsed(data: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data ?? '')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
