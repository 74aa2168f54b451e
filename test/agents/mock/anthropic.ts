/** The Anthropic Messages API, as Claude Code uses it: streamed messages, plain messages, token counts. */
import { type Dialect, eventStream, type Json, listOf, newName, reportedBy, type Turn } from './model.ts'

/** Anthropic counts what came from the cache beside the input, not in it. */
function usageOf(turn: Turn): Json {
  const { input, cacheRead, output } = reportedBy(turn)
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cacheRead,
  }
}

export const anthropic: Dialect = {
  userTexts(body, path) {
    // Titles, topics and quota probes come without tools.
    if (path !== '/v1/messages' || listOf(body.tools).length === 0) return undefined
    return listOf(body.messages)
      .filter((message) => message.role === 'user')
      .map(textOf)
  },

  reply(turn, body) {
    const content = contentOf(turn)
    const stop = turn.calls?.length ? 'tool_use' : 'end_turn'
    return body.stream === true ? streamed(turn, body, content, stop) : whole(turn, body, content, stop)
  },

  side(body, path) {
    if (path === '/v1/messages/count_tokens') return Response.json({ input_tokens: 100 })
    if (path === '/v1/models') return Response.json({ data: [], has_more: false })
    if (path === '/v1/messages') return anthropic.reply({ text: sideText(body) }, body, path)
    return Response.json(
      { type: 'error', error: { type: 'not_found_error', message: path } },
      { status: 404 },
    )
  },
}

/** What asks for JSON gets some: a title that does not parse is asked for again. */
function sideText(body: Json): string {
  return /title/i.test(JSON.stringify(body.system ?? '')) ? '{"title":"A session","isNewTopic":true}' : 'ok'
}

function textOf(message: Json): string {
  if (typeof message.content === 'string') return message.content
  return listOf(message.content)
    .filter((block) => block.type === 'text')
    .map((block) => String(block.text))
    .join('\n')
}

function contentOf(turn: Turn): Json[] {
  const words = turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]
  const calls = (turn.calls ?? []).map(({ name, input }) => ({
    type: 'tool_use',
    id: newName('toolu_01'),
    name,
    input,
  }))
  return [...words, ...calls]
}

function whole(turn: Turn, body: Json, content: readonly Json[], stop: string): Response {
  return Response.json({ ...frame(body), content, stop_reason: stop, usage: usageOf(turn) })
}

function streamed(turn: Turn, body: Json, content: readonly Json[], stop: string): Response {
  const usage = usageOf(turn)
  const blocks = content.flatMap((block, index) => [
    event('content_block_start', { index, content_block: emptied(block) }),
    ...deltasOf(block).map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ])
  const events = [
    event('message_start', { message: { ...frame(body), content: [], stop_reason: null, usage } }),
    ...blocks,
    event('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage }),
    event('message_stop', {}),
  ]
  return eventStream(events, turn.dripMs)
}

function frame(body: Json): Json {
  return { id: newName('msg_01'), type: 'message', role: 'assistant', model: body.model, stop_sequence: null }
}

function event(type: string, data: Json): { name: string; data: Json } {
  return { name: type, data: { type, ...data } }
}

function emptied(block: Json): Json {
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
}

/** Words come one by one, a call's input in one piece. */
function deltasOf(block: Json): Json[] {
  if (block.type === 'text')
    return String(block.text)
      .split(/(?<= )/)
      .map((text) => ({ type: 'text_delta', text }))
  return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]
}
