/** The Gemini Developer API, as Gemini CLI uses it: content streamed or whole, token counts, structured answers. */
import { type Dialect, eventStream, type Json, listOf, newName, reportedBy, type Turn } from './model.ts'

function usageOf(turn: Turn): Json {
  const { input, cacheRead, output } = reportedBy(turn)
  return {
    promptTokenCount: input + cacheRead,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output,
    totalTokenCount: input + cacheRead + output,
  }
}

export const gemini: Dialect = {
  userTexts(body, path) {
    // The router and the loop check ask for JSON, and a summary comes without tools: none is a turn.
    if (!path.endsWith(':streamGenerateContent') || schemaOf(body) || listOf(body.tools).length === 0)
      return undefined
    return listOf(body.contents)
      .filter((content) => content.role === 'user')
      .map((content) =>
        listOf(content.parts)
          .map((part) => String(part.text ?? ''))
          .join('\n'),
      )
  },

  modelIn: (path) => /models\/([^/:]+)/.exec(path)?.[1] ?? '',

  reply(turn, _body, path) {
    const response = {
      candidates: [{ content: { role: 'model', parts: partsOf(turn) }, finishReason: 'STOP', index: 0 }],
      usageMetadata: usageOf(turn),
      modelVersion: 'mock',
      responseId: newName('r'),
    }
    return path.endsWith(':streamGenerateContent')
      ? eventStream([{ data: response }], turn.dripMs)
      : Response.json(response)
  },

  side(body, path) {
    if (path.endsWith(':countTokens')) return Response.json({ totalTokens: 100 })
    const schema = schemaOf(body)
    if (path.includes('enerateContent'))
      return gemini.reply({ text: schema ? JSON.stringify(instanceOf(schema)) : 'ok' }, body, path)
    return Response.json({ error: { code: 404, message: `nothing at ${path}` } }, { status: 404 })
  },
}

function partsOf(turn: Turn): Json[] {
  const words = turn.text === undefined ? [] : [{ text: turn.text }]
  const calls = (turn.calls ?? []).map(({ name, input }) => ({
    functionCall: { id: newName('call_'), name, args: input },
  }))
  return [...words, ...calls]
}

function schemaOf(body: Json): Json | undefined {
  const config = (body.generationConfig ?? {}) as Json
  return (config.responseJsonSchema ?? config.responseSchema) as Json | undefined
}

/** The least value that fits a schema. */
function instanceOf(schema: Json): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : (schema.type ?? 'object')
  switch (String(type).toLowerCase()) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
      return Object.fromEntries(properties.map(([name, value]) => [name, instanceOf(value)]))
    }
    case 'array':
      return []
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return false
    default:
      return 'mock'
  }
}
