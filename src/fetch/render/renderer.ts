/** A page whose scripts are to run. */
export interface RenderJob {
  readonly url: string
  /** As it was received, in UTF-8. */
  readonly html: Uint8Array
  /** Its scripts may have so many bytes sent to them. */
  readonly maxBytes: number
}

/** What came of it. */
export interface RenderAnswer {
  /** The page as its scripts have made it; absent if that failed. */
  readonly dom?: Uint8Array
  /** Why it failed. */
  readonly reason?: string
  /** What scripts asked for, what of that was refused, and the bytes that came. */
  readonly requests: number
  readonly refused: number
  readonly bytes: number
  readonly ms: number
}

/** Runs the scripts of pages. Undefined if it was called off. */
export type Render = (job: RenderJob, signal: AbortSignal) => Promise<RenderAnswer | undefined>

/** How a browser is to be run. */
export interface BrowserOptions {
  readonly executable: string
  /** Chromium's own; without it a page that breaks out of the browser is on this machine. */
  readonly sandbox: boolean
  /** A page's scripts have so long in all. */
  readonly seconds: number
  /** More memory than this no page may take, in bytes. */
  readonly memoryBytes: number
  /** More requests than this no page may make. */
  readonly requests: number
  /** How it introduces itself to scripts. */
  readonly userAgent: string
}
