/** JSON as an answer over HTTP. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', ...headers },
  })
}

export function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return json({ ok: false, message }, status, headers)
}
