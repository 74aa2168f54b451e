/** An MCP server on stdio with one tool, `ask`, which asks the person for a name and gives back what was answered. */

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly protocolVersion?: string }
  readonly result?: unknown
}

const FORM = {
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}
const TOOL = { name: 'ask', description: 'Asks for a name', inputSchema: { type: 'object', properties: {} } }
const ASKED = 'asked-'

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

function take({ id, method, params, result }: Message): void {
  if (method === undefined) {
    // The answer to the question of a call, whose id is in its own.
    const call = String(id).slice(ASKED.length)
    const content = [{ type: 'text', text: JSON.stringify(result ?? null) }]
    send({ id: Number(call), result: { content } })
  } else if (method === 'tools/call') {
    send({ id: `${ASKED}${id}`, method: 'elicitation/create', params: FORM })
  } else if (id !== undefined) {
    send({ id, result: resultOf(method, params?.protocolVersion) })
  }
}

function resultOf(method: string, protocolVersion = '2025-06-18'): object {
  if (method === 'tools/list') return { tools: [TOOL] }
  if (method !== 'initialize') return {}
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'forms', version: '1' } }
}

for await (const line of console) if (line.trim() !== '') take(JSON.parse(line) as Message)

export {}
