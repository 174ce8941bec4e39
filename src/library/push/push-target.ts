import type { PageRow } from './page-row.ts'

/** Somebody who wants to have what becomes of pages, in order, each at least once. */
export interface PushTarget {
  /** As people know it: without secrets. */
  readonly name: string
  /** Whether it wants the texts of pages. */
  readonly wantsTexts: boolean
  /** Hands pages over; comes back when they are taken for good. */
  deliver(pages: readonly PageRow[], signal?: AbortSignal): Promise<void>
}

/** A target did not take pages. */
export class PushError extends Error {
  override readonly name = 'PushError'
  /** Whether it would not take them however often they were sent. */
  readonly isRefusal: boolean

  /** Of the answer, where there was one. */
  readonly status: number | undefined

  constructor(message: string, isRefusal: boolean, status?: number) {
    super(message)
    this.isRefusal = isRefusal
    this.status = status
  }
}
