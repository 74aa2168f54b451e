/**
 * A line for each session, and another whenever it changes. Stays through restarts of the daemon, until Ctrl-C.
 *
 *   ./node_modules/.bin/bun examples/watch-sessions.ts
 */
import { connect, type SessionView } from 'gantry/sdk'

const leaving = new AbortController()
process.once('SIGINT', () => leaving.abort())
process.once('SIGTERM', () => leaving.abort())

const gantry = await connect({ wait: true, signal: leaving.signal })
for await (const change of gantry.sessionChanges()) {
  if ('snapshot' in change) change.snapshot.sessions.forEach(show)
  else show(change.session)
}

function show({ name, agent, phase, detail, attention }: SessionView): void {
  const why = attention.map(({ reason }) => reason).join(', ')
  console.log([agent, name, phase, why || detail].filter(Boolean).join('  '))
}
