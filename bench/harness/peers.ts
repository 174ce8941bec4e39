import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'

const FOLDER = join(import.meta.dirname, '..', 'peers')

export const CRAWLEE = join(FOLDER, 'crawlee.mjs')
export const MINISEARCH = join(FOLDER, 'minisearch.mjs')
export const CRAWLEE_ORDER = join(FOLDER, 'crawlee-order.mjs')

/** Installs the programs to compare with, in `bench/peers` and not among our dependencies. */
export function installPeers(): void {
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))
  const names = Object.keys(dependencies)
  if (names.every((name) => existsSync(join(FOLDER, 'node_modules', name)))) return
  console.error(`installing ${names.join(' and ')} in bench/peers …`)
  try {
    const flags = ['--no-audit', '--no-fund', '--no-package-lock']
    execFileSync('npm', ['install', '--prefix', FOLDER, ...flags], { stdio: 'ignore' })
  } catch (cause) {
    throw new UsageError(
      'cannot install what to compare with: run `npm install --prefix bench/peers` by hand',
      { cause },
    )
  }
}
