import { garbageCollector } from '#fetch/bounds/garbage-collector.ts'

/** Less is not worth it. */
const WORTHWHILE_BYTES = 24 * 2 ** 20

/**
 * Collects what a cycle held, pages above all, once it is committed: now is when least is in use. What threads that
 * fetch hold is theirs to collect.
 */
export const collectGarbage: () => void = garbageCollector(WORTHWHILE_BYTES)
