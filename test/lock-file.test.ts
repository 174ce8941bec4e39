import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockedPackage {
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const packages = Object.entries(lock.packages as Record<string, LockedPackage>).filter(
  ([path, { link, inBundle }]) => path !== '' && !link && !inBundle,
)

/**
 * Programs for other machines than the one that wrote the lock file: a hash can only be had of what the
 * registry at hand has. Where it has all, `npm install --package-lock-only` in an empty folder adds the rest.
 */
function isForElsewhere({ optional, os, cpu, libc }: LockedPackage): boolean {
  const isForLinux = !os || os.includes('linux')
  const isForX64 = !cpu || cpu.includes('x64')
  return optional === true && !(isForLinux && isForX64 && !libc?.includes('musl'))
}

test('every locked package has a hash that npm compares, but for programs of other machines', () => {
  const unhashed = packages.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))
  expect(unhashed.filter(([, locked]) => !isForElsewhere(locked)).map(([path]) => path)).toEqual([])
  expect(unhashed.length).toBeLessThanOrEqual(12)
})

test('the lock file names no place to fetch packages from: that is for the user to choose', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
