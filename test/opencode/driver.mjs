/**
 * Stands in for opencode: loads the plugin named on its command line and calls the hooks that stdin asks for,
 * one JSON line each: {"id":1,"hook":"tool.execute.before","args":[…],"wait":true}. Says what came of it in
 * the same way.
 */
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

const plugin = await import(pathToFileURL(process.argv[2]).href)
const context = {
  directory: '/w',
  worktree: '/w',
  project: { id: 'global' },
  serverUrl: new URL('http://localhost:4096'),
}
const hooks = await plugin.GantryPlugin(context)
say({ exports: Object.keys(plugin), hooks: Object.keys(hooks) })

for await (const line of createInterface({ input: process.stdin })) {
  const { id, hook, args, times, stallMs, mute } = JSON.parse(line)
  const begin = performance.now()
  try {
    if (times === undefined) await hooks[hook](...args)
    // As opencode does with the events of its bus: nobody waits.
    else for (const each of times) hooks[hook](each)
    if (stallMs !== undefined) {
      args.push({ at: performance.timeOrigin + begin })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
    }
    say({ id, ms: performance.now() - begin, args: mute ? [] : args })
  } catch (error) {
    say({ id, ms: performance.now() - begin, args, error: `${error.name}: ${error.message}` })
  }
}
process.exit(0)
