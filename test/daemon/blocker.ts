/** Loaded into a daemon by the test of the watchdog: on SIGUSR2 its event loop turns no more. */
process.on('SIGUSR2', () => {
  for (;;);
})
