import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { SettingError } from '#errors/setting-error.ts'
import type { Bidder } from '#policy/bidder.ts'
import { PURPOSES } from '#policy/bids.ts'
import { type BidderDefinition, defineBidder } from '#policy/define-bidder.ts'
import type { FactName } from '#policy/facts/facts.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'

/** Our bidders, and those of a user's own files. */
export interface OwnBidders {
  readonly registry: Registry
  /** Those of the files, in their order. */
  readonly own: readonly Bidder[]
}

/** The bidders that a program hands in, and those of a user's own files, named after them; `note` is told what is out of date. */
export async function readPolicyFiles(
  files: readonly string[] = [],
  note: (text: string) => void = () => {},
  given: readonly Bidder[] = [],
): Promise<OwnBidders> {
  const own = [...given]
  for (const file of files) {
    const bidder = await bidderIn(file, note)
    if (!/^[\w-]+$/.test(bidder.name))
      throw new SettingError(
        'policyFile',
        `{policyFile} ${file}: the name "${bidder.name}" will be the policy's; use letters, digits and -`,
      )
    if (own.some(({ name }) => name === bidder.name))
      throw new SettingError(
        'policyFile',
        `{policyFile} ${file}: there is another policy "${bidder.name}"; rename one`,
      )
    own.push(bidder)
  }
  return { registry: REGISTRY.with(own), own }
}

/** What a function that is exported alone may read: the first edition knew nothing else. */
const GRAPH_FACTS = ['candidates', 'links', 'depths', 'hosts', 'domains', 'visits'] as const

async function bidderIn(file: string, note: (text: string) => void): Promise<Bidder> {
  const exported = await load(file)
  const name = basename(file, extname(file))
  if (typeof exported === 'function') {
    note(
      `{policyFile} ${file}: a function alone is out of date; export default defineBidder({ name, task, needs, bids }) instead`,
    )
    const bids = exported as BidderDefinition<FactName>['bids']
    return guarded(file, { name, task: 'acquire', needs: GRAPH_FACTS, bids })
  }
  // Whoever copies a file and changes it has another policy, whatever it calls itself.
  if (isBidder(exported)) return guarded(file, { ...exported, name })
  throw new SettingError(
    'policyFile',
    `{policyFile} ${file} must export its policy: export default defineBidder({ name, task, needs, bids })`,
  )
}

function isBidder(exported: unknown): exported is BidderDefinition<FactName> {
  if (typeof exported !== 'object' || exported === null) return false
  const { task, needs, bids } = exported as Partial<Bidder>
  return PURPOSES.some((one) => one === task) && Array.isArray(needs) && typeof bids === 'function'
}

async function load(file: string): Promise<unknown> {
  if (!existsSync(file))
    throw new SettingError('policyFile', `{policyFile} ${file}: there is no such file`)
  try {
    return (await loadedInTime(importModule(file))).default
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : inspect(cause)
    throw new SettingError('policyFile', `{policyFile} ${file} cannot be loaded: ${why}`, { cause })
  }
}

/** Fails once nothing is left to happen that could finish the loading, instead of ending without a word. */
async function loadedInTime<T>(loading: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Error('it awaits something that never comes'))
  process.once('beforeExit', giveUp)
  try {
    return await Promise.race([loading, promise])
  } finally {
    process.off('beforeExit', giveUp)
  }
}

const MODULE_FORMATS: Readonly<Record<string, string>> = {
  '.ts': 'module-typescript',
  '.js': 'module',
}

/** What a policy file gets that imports from 'forager', installed or not. */
const ENTRY = new URL('../../policy/define-bidder.ts', import.meta.url).href

/**
 * Imports the file as the module it is, even where a package.json around it says "commonjs", as the one
 * that `npm init` writes does.
 */
async function importModule(file: string): Promise<{ default?: unknown }> {
  const { href } = pathToFileURL(resolve(file))
  const format = MODULE_FORMATS[extname(file)]
  const isModule = format !== undefined && /^\s*export\s/m.test(readFileSync(file, 'utf8'))
  const hooks = registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === 'forager' && context.parentURL === href
        ? { url: ENTRY, shortCircuit: true }
        : nextResolve(specifier, context),
    load: (url, context, nextLoad) =>
      nextLoad(url, url === href && isModule ? { ...context, format } : context),
  })
  try {
    return await import(href)
  } finally {
    hooks.deregister()
  }
}

/** The bidder, with whatever is wrong with it told by the name of its file. */
function guarded(file: string, definition: BidderDefinition<FactName>): Bidder {
  return defineBidder({
    ...definition,
    bids: (facts) => {
      let bids: ReturnType<typeof definition.bids> | undefined
      try {
        bids = definition.bids(facts)
      } catch (cause) {
        if (isMistake(cause))
          throw new SettingError('policyFile', `{policyFile} ${file}: ${cause.message}`, { cause })
        const where = lineOf(cause, file)
        throw new SettingError(
          'policyFile',
          `{policyFile} ${file} failed${where}: ${thrownText(cause)}`,
          {
            cause,
          },
        )
      }
      if (typeof bids !== 'object' || bids === null)
        throw new SettingError(
          'policyFile',
          `{policyFile} ${file} must give its bids: { urls, gains, why }`,
        )
      return bids
    },
  })
}

/** Also one of another copy of this package, which the file may import. */
function isMistake(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.constructor.name === SettingError.name
}

function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : inspect(thrown)
}

/** Where in the file something was thrown, if it says so. */
function lineOf(thrown: unknown, file: string): string {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  const place = stack.split(`${pathToFileURL(resolve(file)).href}:`)[1]
  return place === undefined ? '' : ` in line ${Number.parseInt(place, 10)}`
}
