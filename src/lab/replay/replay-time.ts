interface ReplayPace {
  /** The snapshot to begin with. */
  readonly from: number
  /** Snapshots a minute; 0 stands still. */
  readonly speed: number
  readonly snapshotCount: number
}

/** The snapshot that is shown after so long; the last one stays. */
export function replaySnapshot(
  { from, speed, snapshotCount }: ReplayPace,
  elapsedMs: number,
): number {
  return Math.min(from + Math.floor((speed * elapsedMs) / 60_000), snapshotCount - 1)
}
