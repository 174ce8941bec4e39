import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '#parse/usage-error.ts'

const FOLDER = join(import.meta.dirname, 'peers')

export const CRAWLEE = join(FOLDER, 'crawlee.mjs')

/** Installs the crawlers to compare with, beside this file and not among our dependencies. */
export function installPeers(): void {
  if (existsSync(join(FOLDER, 'node_modules', '@crawlee', 'cheerio'))) return
  console.error('installing Crawlee in bench/peers …')
  try {
    const flags = ['--no-audit', '--no-fund', '--no-package-lock']
    execFileSync('npm', ['install', '--prefix', FOLDER, ...flags], { stdio: 'ignore' })
  } catch (cause) {
    throw new UsageError('cannot install Crawlee: run `npm install --prefix bench/peers` by hand', {
      cause,
    })
  }
}
