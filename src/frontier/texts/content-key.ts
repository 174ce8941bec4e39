/** 52 bits of a hex hash: enough to tell two versions of one page apart, in one float. */
export function contentKey(contentHash: string): number {
  return Number.parseInt(contentHash.slice(0, 13), 16)
}
