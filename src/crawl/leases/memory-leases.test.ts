import { describe } from 'vitest'
import { aheadContract } from './ahead-contract.test-kit.ts'
import { leasesContract } from './leases-contract.test-kit.ts'
import { MemoryLeases } from './memory-leases.test-kit.ts'
import { placesContract } from './places-contract.test-kit.ts'

describe('leases in memory', () => {
  const begin = async () => {
    let now = 1000
    return {
      leases: new MemoryLeases(() => now),
      pass: async (seconds: number) => {
        now += seconds
      },
    }
  }
  leasesContract(begin)
  placesContract(begin)
  aheadContract(begin)
})
