/** A request to stop, from a signal or from elsewhere in the program. */
interface StopWish {
  readonly signal: AbortSignal
  /** Asks as the first Ctrl-C does; asking again changes nothing. */
  stop(): void
  /** Gives Ctrl-C back its usual meaning. */
  forget(): void
}

/** Turns the first Ctrl-C (or a polite kill) into a request to stop; a second one quits at once. */
export function stopOnSignals(onStop: () => void): StopWish {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) return
    onStop()
    controller.abort()
  }
  const handle = () => {
    if (controller.signal.aborted) process.exit(130)
    stop()
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return {
    signal: controller.signal,
    stop,
    forget: () => {
      process.off('SIGINT', handle)
      process.off('SIGTERM', handle)
    },
  }
}

/** Ends the program as a signal does that nobody heeds, whatever its threads do. */
export function quitAtOnce(): void {
  process.removeAllListeners('SIGINT')
  process.kill(process.pid, 'SIGINT')
}
