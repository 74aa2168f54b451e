/** Request formats of ntfy, Slack, Telegram and your own receiver. */
import { signedHeaders } from '../../bus/index.ts'
import type { Channel, Notification, Sent } from './channel.ts'
import { post, type Request } from './request.ts'

const NTFY = 'https://ntfy.sh'
const TELEGRAM = 'https://api.telegram.org'

/** The URL and the secret are read for each message. */
interface WebChannel extends Pick<Channel, 'topic' | 'chatId'> {
  readonly url: string
  readonly token: string | undefined
}

type RequestFor = (channel: WebChannel, message: Notification) => Request

/** Posts what this kind of channel makes of a message. */
export function sendWeb(requestFor: RequestFor): (channel: Channel, message: Notification) => Promise<Sent> {
  return async (channel, message) => {
    const token = channel.token()
    const url = channel.url()
    const { topic, chatId, timeoutMs } = channel
    return post(requestFor({ topic, chatId, url, token }, message), timeoutMs, [token ?? '', url])
  }
}

/** JSON, because a title in a header could end the header. */
export const ntfy: RequestFor = ({ topic, url, token }, { title, body, urgent, reason }) => ({
  url: url || NTFY,
  ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  body: JSON.stringify({ topic, title, message: body, priority: urgent ? 4 : 3, tags: [reason] }),
})

export const slack: RequestFor = ({ url }, message) => ({
  url,
  body: JSON.stringify({ text: slackText(message), mrkdwn: false, unfurl_links: false }),
})

export const telegram: RequestFor = ({ url, token, chatId }, { title, body }) => ({
  url: `${(url || TELEGRAM).replace(/\/+$/, '')}/bot${token ?? ''}/sendMessage`,
  body: JSON.stringify({
    chat_id: chatId,
    text: `${title}\n${body}`, // without parse_mode nothing in it is markup
    link_preview_options: { is_disabled: true },
  }),
})

/** Slack interprets `<!channel>` and `<https://…|harmless>`; with these three characters escaped, nothing is markup. */
function slackText({ title, body }: Notification): string {
  return `${title}\n${body}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Signed like other webhooks if there is a secret. */
export const webhook: RequestFor = ({ url, token: secret }, message) => {
  const { id, title, body: text, reason, urgent, session, at } = message
  const body = JSON.stringify({ id, at, reason, urgent, title, body: text, session })
  return secret === undefined ? { url, body } : { url, headers: signedHeaders(secret, at, body), body }
}
