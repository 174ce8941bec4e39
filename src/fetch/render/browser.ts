import { readFileSync } from 'node:fs'
import type { Browser, CDPSession } from 'playwright-core'
import type { BrowserOptions } from './renderer.ts'

/** Chromium itself can reach nobody: names lead nowhere, and all that it would send goes to a proxy that is not there. */
const CUT_OFF: Readonly<Record<string, string>> = {
  'proxy-server': 'http://127.0.0.1:9',
  'proxy-bypass-list': '<-loopback>',
  'host-resolver-rules': 'MAP * ~NOTFOUND',
  'force-webrtc-ip-handling-policy': 'disable_non_proxied_udp',
}
const LAUNCH_MS = 20_000
/** After so many starts in a row that failed, no further one is tried. */
const MOST_VAIN_STARTS = 3
const LOOK_MS = 250

/** The browser, started when it is first needed, and again after it ended. */
export class LazyBrowser {
  readonly #options: BrowserOptions
  readonly #tellPid: (pid: number) => void
  #browser: Promise<Browser> | undefined
  #session: CDPSession | undefined
  #vainStarts = 0
  #pid: number | undefined
  #watch: NodeJS.Timeout | undefined

  /** Whoever ends the browser by force is told its process. */
  constructor(options: BrowserOptions, tellPid: (pid: number) => void) {
    this.#options = options
    this.#tellPid = tellPid
  }

  /** Throws where it cannot be started. */
  async get(): Promise<Browser> {
    if (this.#vainStarts >= MOST_VAIN_STARTS) throw new Error('the browser does not start')
    this.#browser ??= this.#start()
    try {
      return await this.#browser
    } catch (error) {
      this.#browser = undefined
      this.#vainStarts++
      throw error
    }
  }

  /** Ends it at once: the next page gets a new one. */
  kill(): void {
    clearInterval(this.#watch)
    if (this.#pid !== undefined) end(this.#pid)
    this.#pid = undefined
    this.#browser = undefined
  }

  async #start(): Promise<Browser> {
    const { chromium } = await import('playwright-core')
    const { executable, sandbox, memoryBytes } = this.#options
    const heapMb = Math.max(64, Math.floor(memoryBytes / 2 ** 20 / 2))
    const browser = await chromium.launch({
      executablePath: executable,
      headless: true,
      chromiumSandbox: sandbox,
      timeout: LAUNCH_MS,
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
      args: switches({ ...CUT_OFF, 'js-flags': switches({ 'max-old-space-size': heapMb })[0] }),
    })
    this.#vainStarts = 0
    this.#session = await browser.newBrowserCDPSession()
    const processes = await this.#processes()
    this.#pid = processes.find(({ type }) => type === 'browser')?.id
    if (this.#pid !== undefined) this.#tellPid(this.#pid)
    const watch = setInterval(() => void this.#endGreedy(), LOOK_MS).unref()
    this.#watch = watch
    const own = this.#browser
    browser.on('disconnected', () => {
      clearInterval(watch)
      // It may be the one that was killed, while another has started.
      if (this.#browser === own) this.#browser = undefined
    })
    return browser
  }

  /**
   * Ends processes that take too much memory. That of a page is noticed as its crash. The browser's own holds what pages
   * keep in blobs and databases; it is started again, as after any end.
   */
  async #endGreedy(): Promise<void> {
    const processes = await this.#processes().catch(() => [])
    for (const { id } of processes) if (heldBytes(id) > this.#options.memoryBytes) end(id)
  }

  async #processes() {
    const { processInfo } = await this.#session!.send('SystemInfo.getProcessInfo')
    return processInfo
  }
}

function switches(values: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`)
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** What a process holds in memory, without files; what it shares, as images, counts too. 0 where the system does not tell. */
function heldBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+)/gm)].map(([, kB]) =>
      Number(kB),
    )
    return 1024 * kilobytes.reduce((sum, kB) => sum + kB, 0)
  } catch {
    return 0
  }
}
