import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Puts a config file into a folder, for its owner to read. */
export function writeConfig(folder: string, config: object): void {
  writeFileSync(join(folder, 'forager.config.json'), JSON.stringify(config), { mode: 0o600 })
}

/** The header of a user and a password. */
export function basicOf(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
