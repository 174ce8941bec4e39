import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Clock } from '#crawl/ports.ts'

/** The time that has been leapt over, as a file tells all processes. */
function leapt(file: string): number {
  return Number(readFileSync(file, 'utf8'))
}

function leapTo(file: string, at: number): void {
  writeFileSync(`${file}.${process.pid}`, `${at - Date.now() / 1000}`)
  renameSync(`${file}.${process.pid}`, file)
}

/** The time of all who read that file; seconds since 1970. */
export function timeIn(file: string): number {
  return Date.now() / 1000 + leapt(file)
}

/** Begins a time for all who will read that file. */
export function beginTime(file: string, at: number): void {
  leapTo(file, at)
}

/** A clock that goes as the machine's while there is work, and leaps over every wait; until `end`. */
export function leapingClock(file: string, end: number, onEnd: () => void): Clock {
  let [latest, ahead] = [0, leapt(file)]
  const now = () => {
    latest = Math.max(latest, Date.now() / 1000 + ahead)
    return latest
  }
  return {
    now,
    async waitUntil(at, signal) {
      if (signal.aborted) return
      if (at > now()) leapTo(file, Math.min(at, end))
      ahead = leapt(file)
      if (at >= end) onEnd()
      // Whoever waits lets others have their turn.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
