import { expect, test } from 'vitest'
import { DEFAULTS, type Settings } from '../settings/settings.ts'
import { browserFor } from './browser.ts'

const rendering = (more: Partial<Settings>): Settings => ({ ...DEFAULTS, render: true, ...more })
const found = { browser: process.execPath, renderSandbox: false }

test('a browser is looked for only if pages are to be rendered', () => {
  expect(browserFor(DEFAULTS, 0)).toBeUndefined()
  expect(browserFor(rendering(found), 1)).toMatchObject({
    ...{ executable: process.execPath, sandbox: false, seconds: 10, requests: 100 },
  })
})

test('what is missing is said before anything is fetched, with what to do', () => {
  const complaint = (settings: Settings, workers = 1) => {
    try {
      browserFor(settings, workers)
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  }
  expect(complaint({ ...DEFAULTS, renderAll: true })).toContain('goes with')
  expect(complaint(rendering(found), 0)).toContain('workers')
  expect(complaint(rendering({ ...found, browser: '/no/such/browser' }))).toContain('/no/such')
  const path = process.env.PATH
  process.env.PATH = '/no/such/folder'
  expect(complaint(rendering({ renderSandbox: false }))).toContain('apt-get install chromium')
  process.env.PATH = path
  if (process.getuid?.() === 0)
    expect(complaint(rendering({ ...found, renderSandbox: true }))).toContain(
      'renderSandbox: false',
    )
})
