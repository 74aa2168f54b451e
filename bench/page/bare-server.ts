/** The least that shows a word in a browser: one page, one WebSocket, a POST that tells all of them. */
interface BareServer {
  readonly url: string
  stop(): Promise<void>
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>bare</title><link rel="icon" href="data:,">
<p class="row session">nothing yet</p><script>
const socket = new WebSocket('ws://' + location.host + '/live')
socket.onmessage = ({ data }) => document.querySelector('p').textContent = data
</script>`

export function bareServer(): BareServer {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request, self) => {
      if (request.method === 'POST') {
        self.publish('all', await request.text())
        return new Response(null, { status: 204 })
      }
      if (new URL(request.url).pathname !== '/live')
        return new Response(PAGE, { headers: { 'content-type': 'text/html' } })
      return self.upgrade(request) ? undefined : new Response('no', { status: 400 })
    },
    websocket: { open: (socket) => void socket.subscribe('all'), message: () => {} },
  })
  return { url: server.url.href, stop: () => server.stop(true) }
}
