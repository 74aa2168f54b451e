/** The OpenAI Responses API, as Codex uses it: one streamed response per request. */
import { type Dialect, eventStream, type Json, listOf, newName, reportedBy, type Turn } from './model.ts'

function usageOf(turn: Turn): Json {
  const { input, cacheRead, output } = reportedBy(turn)
  return {
    input_tokens: input + cacheRead,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + cacheRead + output,
  }
}

/** The TUI of 0.166.0 asks for a title of every prompt, with the prompt in it. */
const TITLE_REQUEST = 'Generate a concise, single-line task title'

export const responses: Dialect = {
  userTexts(body, path) {
    if (!path.endsWith('/responses')) return undefined
    const texts = listOf(body.input)
      .filter((item) => item.type === 'message' && item.role === 'user')
      .map(textOf)
    return texts.some((text) => text.includes(TITLE_REQUEST)) ? undefined : texts
  },

  reply(turn, body) {
    const output = outputOf(turn, body)
    const response = { id: newName('resp_'), object: 'response', model: body.model ?? 'mock' }
    const items = output.flatMap((item, at) => [
      event('response.output_item.added', { output_index: at, item }),
      event('response.output_item.done', { output_index: at, item }),
    ])
    const events = [
      event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      ...items,
      event('response.completed', {
        response: { ...response, status: 'completed', output, usage: usageOf(turn) },
      }),
    ]
    return eventStream(events, turn.dripMs)
  },

  side(body, path) {
    if (path.endsWith('/models')) return Response.json({ object: 'list', data: [], models: [] })
    if (path.endsWith('/responses')) return responses.reply({ text: 'A task' }, body, path)
    return Response.json({ error: { message: `nothing at ${path}` } }, { status: 404 })
  },
}

function textOf(item: Json): string {
  return listOf(item.content)
    .map((part) => String(part.text ?? ''))
    .join('\n')
}

function outputOf(turn: Turn, body: Json): Json[] {
  const words =
    turn.text === undefined
      ? []
      : [
          {
            type: 'message',
            id: newName('msg_'),
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: turn.text, annotations: [] }],
          },
        ]
  const calls = (turn.calls ?? []).map(({ name, input }) => ({
    type: 'function_call',
    id: newName('fc_'),
    call_id: newName('call_'),
    ...nameOf(name),
    arguments: withAgentId(JSON.stringify(input), body),
    status: 'completed',
  }))
  return [...words, ...calls]
}

/** `space.tool` is a tool of a namespace; 0.166.0 keeps its agents' tools in one. */
function nameOf(name: string): Json {
  const [space, tool] = name.split('.')
  return tool === undefined ? { name } : { namespace: space, name: tool }
}

/** A script cannot know the id of the agent it spawned; the conversation does. */
function withAgentId(text: string, body: Json): string {
  const spawned = [...JSON.stringify(body.input ?? '').matchAll(/agent_id\W+([0-9a-f-]{36})/g)].at(-1)?.[1]
  return text.replaceAll('$AGENT_ID', spawned ?? 'none')
}

let sequence = 0

function event(type: string, data: Json): { name: string; data: Json } {
  sequence += 1
  return { name: type, data: { type, sequence_number: sequence, ...data } }
}
