/**
 * Loaded before a program by `--import`: when it ends, writes what it used, all its threads counted,
 * to file 3. Node cannot ask the system about a child that has ended.
 */
import { writeSync } from 'node:fs'

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const usage = {
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    rssMb: Math.round(maxRSS / 1024),
  }
  writeSync(3, JSON.stringify(usage))
})
