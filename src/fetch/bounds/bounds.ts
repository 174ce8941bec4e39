import { AddressPlaces } from './address-places.ts'
import { ByteLedger } from './byte-ledger.ts'
import { SendAllowance } from './send-allowance.ts'

/** What the workers of a crawl keep to together. */
export interface Bounds {
  readonly workers: number
  readonly allowance: SendAllowance
  readonly ledger: ByteLedger
  readonly addresses: AddressPlaces
  /** Whether a host may be asked, where that is not so for all; a robots.txt may redirect anywhere. */
  readonly isOwn?: (host: string) => boolean
}

/** The memory in which threads share their bounds. */
export interface BoundsMemory {
  readonly workers: number
  readonly sends: Int32Array
  readonly bytes: BigInt64Array
  readonly isByteLimited: boolean
  /** One worker has all addresses to itself. */
  readonly addresses?: Int32Array
}

/** For one worker on the thread of its reader. */
export function ownBounds(bytesLeft: number | undefined): Bounds {
  return {
    workers: 1,
    allowance: new SendAllowance(),
    ledger: new ByteLedger(bytesLeft),
    addresses: new AddressPlaces(),
  }
}

export function sharedMemory(workers: number, bytesLeft: number | undefined): BoundsMemory {
  const bytes = new BigInt64Array(new SharedArrayBuffer(16))
  return {
    workers,
    sends: new Int32Array(new SharedArrayBuffer(8)),
    bytes,
    isByteLimited: bytesLeft !== undefined,
    ...(workers > 1 && { addresses: AddressPlaces.memory(workers) }),
  }
}

/** The bounds as one of the workers sees them; the reader, who sends nothing, is none of them and knows what bytes are left. */
export function boundsIn(memory: BoundsMemory, own: number, bytesLeft?: number): Bounds {
  const { workers, sends, bytes, isByteLimited, addresses } = memory
  return {
    workers,
    allowance: new SendAllowance(sends),
    ledger: new ByteLedger(bytesLeft, bytes, isByteLimited),
    addresses: new AddressPlaces(workers, own, addresses),
  }
}
