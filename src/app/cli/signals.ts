/** Turns the first Ctrl-C (or a polite kill) into a request to stop; a second one quits at once. */
export function stopOnSignals(onStop: () => void): { signal: AbortSignal; forget: () => void } {
  const controller = new AbortController()
  const handle = () => {
    if (controller.signal.aborted) process.exit(130)
    onStop()
    controller.abort()
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return {
    signal: controller.signal,
    forget: () => {
      process.off('SIGINT', handle)
      process.off('SIGTERM', handle)
    },
  }
}
