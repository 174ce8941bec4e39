import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import type { BrowserOptions } from '#fetch/render/renderer.ts'
import { identityOf } from '../settings/identity.ts'
import type { Settings } from '../settings/settings.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser that settings ask for, if they do. Complains where it could not run, before anything is fetched. */
export function browserFor(settings: Settings, workers: number): BrowserOptions | undefined {
  const { render, renderAll, renderSandbox: sandbox } = settings
  if (renderAll && !render)
    throw new SettingError('renderAll', '{renderAll} goes with {render}: name that too')
  if (!render) return undefined
  if (workers === 0)
    throw new SettingError(
      'render',
      '{render} needs a thread that fetches: leave out {workers}, or name 1 or more',
    )
  if (!hasPlaywright())
    throw new SettingError(
      'render',
      '{render} needs the package playwright-core, which is not installed: npm install playwright-core, where Forager is',
    )
  const executable = executableFor(settings)
  if (sandbox && process.getuid?.() === 0)
    throw new SettingError(
      'render',
      "{render}: as root, Chromium cannot run in its sandbox. Crawl as another user; or allow it without by {noRenderSandbox}, where nothing else is on the machine that pages' scripts must not reach",
    )
  return {
    ...{ executable, sandbox, seconds: settings.renderTimeout },
    memoryBytes: settings.renderMemory,
    requests: settings.renderRequests,
    userAgent: identityOf(settings).userAgent,
  }
}

function hasPlaywright(): boolean {
  try {
    import.meta.resolve('playwright-core')
    return true
  } catch {
    return false
  }
}

function executableFor({ browser }: Settings): string {
  if (browser !== undefined) {
    if (isExecutable(browser)) return browser
    throw new SettingError('browser', `{browser} ${browser}: there is no program of that name`)
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
    isExecutable,
  )
  if (found !== undefined) return found
  throw new SettingError(
    'render',
    '{render} needs Chromium or Chrome, and none was found: install one, as by apt-get install chromium, or name it with {browser}',
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
