import { hash64, lastHash64 } from '#numeric/hash.ts'

/** The bucket that a registrable domain is crawled in. How many there are is fixed when a crawl begins. */
export function bucketOf(domain: string, buckets: number): number {
  hash64(domain)
  const [low, high] = lastHash64
  return ((high % buckets) * (0x1_0000_0000 % buckets) + (low % buckets)) % buckets
}
