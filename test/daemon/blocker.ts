/**
 * Blocks the event loop for good when told to, as a call into the system would: no turn, and no processor time. With
 * STUCK_S in the environment, the watchdog has no more patience than that.
 */
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})

const { STUCK_S } = process.env
const post = Worker.prototype.postMessage
Worker.prototype.postMessage = function (this: Worker, message: unknown) {
  const isWatchdog = typeof message === 'object' && message !== null && 'limitS' in message
  post.call(this, isWatchdog && STUCK_S ? { ...message, limitS: Number(STUCK_S) } : message)
}
