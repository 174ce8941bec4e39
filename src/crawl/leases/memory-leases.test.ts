import { describe } from 'vitest'
import { leasesContract } from './leases-contract.test-kit.ts'
import { MemoryLeases } from './memory-leases.ts'

describe('leases in memory', () => {
  leasesContract(async () => {
    let now = 1000
    return {
      leases: new MemoryLeases(() => now),
      pass: async (seconds) => {
        now += seconds
      },
    }
  })
})
