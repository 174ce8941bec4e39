import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder until the test is over. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-own-sites-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Puts a config file into a folder, for its owner to read. */
export function writeConfig(folder: string, config: object): void {
  writeFileSync(join(folder, 'forager.config.json'), JSON.stringify(config), { mode: 0o600 })
}

/** The header of a user and a password. */
export function basicOf(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
