import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Chromium as `scripts/browser-test.sh` found it. It may talk to this machine only. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.FORAGER_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    ],
  })
}

/** What went wrong on a page, and where it went, while somebody used it. */
export interface Witness {
  readonly page: Page
  /** Script errors, refused scripts and styles, dialogs. */
  readonly troubles: string[]
  /** Hosts that were asked for anything. */
  readonly hosts: Set<string>
  close(): Promise<void>
}

/** A window of its own, without cookies, and all that happens in it. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Witness> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(120_000) // for what hangs: a busy machine takes its time
  const troubles: string[] = []
  const hosts = new Set<string>()
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text())
  })
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  return { page, troubles, hosts, close: () => context.close() }
}
