/** Request formats of ntfy, Slack, Telegram and your own receiver. */
import { SIGNATURE_HEADER, signatureOf, TIMESTAMP_HEADER } from '../bus/index.ts'
import type { Channel, Message, Sent } from './channel.ts'
import { post, type Request } from './request.ts'

const NTFY = 'https://ntfy.sh'
const TELEGRAM = 'https://api.telegram.org'

export function sendWeb(channel: Channel, message: Message): Promise<Sent> {
  const token = channel.token()
  const url = channel.url()
  return post(requestFor(channel, message, url, token), channel.timeoutMs, [token ?? '', url])
}

export function requestFor(
  channel: Pick<Channel, 'kind' | 'topic' | 'chatId'>,
  message: Message,
  url: string,
  token: string | undefined,
): Request {
  switch (channel.kind) {
    case 'ntfy':
      return ntfy(channel.topic, message, url || NTFY, token)
    case 'slack':
      return { url, body: JSON.stringify({ text: slackText(message), mrkdwn: false, unfurl_links: false }) }
    case 'telegram':
      return {
        url: `${(url || TELEGRAM).replace(/\/+$/, '')}/bot${token ?? ''}/sendMessage`,
        body: JSON.stringify({
          chat_id: channel.chatId,
          text: `${message.title}\n${message.body}`, // without parse_mode nothing in it is markup
          link_preview_options: { is_disabled: true },
        }),
      }
    default:
      return webhook(message, url, token)
  }
}

/** JSON, because a title in a header could end the header. */
function ntfy(topic: string, message: Message, url: string, token: string | undefined): Request {
  const { title, body, urgent, reason } = message
  return {
    url,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    body: JSON.stringify({ topic, title, message: body, priority: urgent ? 4 : 3, tags: [reason] }),
  }
}

/** Slack interprets `<!channel>` and `<https://…|harmless>`; with these three characters escaped, nothing is markup. */
function slackText({ title, body }: Message): string {
  return `${title}\n${body}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Signed like other webhooks if there is a secret. */
function webhook(message: Message, url: string, secret: string | undefined): Request {
  const { id, title, body: text, reason, urgent, session, at } = message
  const body = JSON.stringify({ id, at, reason, urgent, title, body: text, session })
  if (secret === undefined) return { url, body }
  const timestamp = String(Math.floor(at / 1000))
  return {
    url,
    headers: {
      [TIMESTAMP_HEADER]: timestamp,
      [SIGNATURE_HEADER.gantry]: signatureOf(secret, timestamp, body),
    },
    body,
  }
}
