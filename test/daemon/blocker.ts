/** Blocks the event loop for good when told to, as a call into the system would: no turn, and no processor time. */
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
