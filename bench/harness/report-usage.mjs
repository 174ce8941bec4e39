/**
 * Loaded before a program by `--import`: when it ends, writes what it used, all its threads counted, and for how
 * long its event loop stood still at most, to a file named by its process. Node cannot ask the system about a child that has ended. Not
 * TypeScript: what Node would load to read that takes some 10 MB, which are not the program's.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

process.on('exit', () => {
  if (!isMainThread) return
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const usage = {
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    rssMb: Math.round(maxRSS / 1024),
    longestBlockMs: Math.round(delay.max / 1e6),
  }
  writeFileSync(join(process.env.FORAGER_USAGE_FOLDER, String(process.pid)), JSON.stringify(usage))
})
