/**
 * A coordinator: begins an effort, writes down what its agents say at the end of their turns, and finishes the effort
 * after so many of them.
 *
 *   ./node_modules/.bin/bun examples/coordinator.ts 3
 */
import { connect } from 'gantry/sdk'

const turns = Number(process.argv[2] ?? 1)
const gantry = await connect()
const { id: effort } = await gantry.efforts.start({ skill: 'coordinate', title: 'Release', phase: 'collect' })
console.log(`effort ${effort} waits for ${turns}`)

let left = turns
for await (const event of gantry.subscribe({ type: ['Stop', 'StopFailure'] })) {
  const { name } = await gantry.session(event.sessionId)
  await gantry.efforts.log(`${name}: ${event.message ?? event.error?.message ?? 'nothing said'}`, { effort })
  console.log(`${name} ended a turn`)
  left -= 1
  if (left === 0) break
}

await gantry.efforts.phase('done', { effort })
const { lifecycle } = await gantry.efforts.finish({ effort })
await gantry.emit('ReleaseReady', { effort })
console.log(`effort ${effort} is ${lifecycle}`)
gantry.close()
