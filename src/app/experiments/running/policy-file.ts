import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { UsageError } from '#errors/usage-error.ts'
import { copiedFacts, type GraphFacts } from '#frontier/graph-facts.ts'
import type { Bids, Policy } from '#policy/bids.ts'
import { checkedBids } from '#policy/checked-bids.ts'

/** Policies from the user's own files, by the file's name without its ending; their bids are checked. */
export async function readPolicyFiles(
  files: readonly string[],
): Promise<Record<string, Policy<GraphFacts>>> {
  const policies: Record<string, Policy<GraphFacts>> = {}
  for (const file of files) {
    const name = basename(file, extname(file))
    if (!/^[\w-]+$/.test(name))
      throw new UsageError(
        `--policy-file ${file}: the name "${name}" will be the policy's; use letters, digits and -`,
      )
    if (Object.hasOwn(policies, name))
      throw new UsageError(`--policy-file ${file}: there is another policy "${name}"; rename one`)
    policies[name] = guarded(file, await load(file))
  }
  return policies
}

async function load(file: string): Promise<Policy<GraphFacts>> {
  if (!existsSync(file)) throw new UsageError(`--policy-file ${file}: there is no such file`)
  let loaded: { default?: unknown }
  try {
    loaded = await loadedInTime(importModule(file))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : inspect(cause)
    throw new UsageError(`--policy-file ${file} cannot be loaded: ${why}`, { cause })
  }
  if (typeof loaded.default !== 'function')
    throw new UsageError(
      `--policy-file ${file} must export its policy: export default function (facts) { … }`,
    )
  return loaded.default as Policy<GraphFacts>
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

/**
 * Imports the file as the module it is, even where a package.json around it says "commonjs", as the one
 * that `npm init` writes does.
 */
async function importModule(file: string): Promise<{ default?: unknown }> {
  const { href } = pathToFileURL(resolve(file))
  const format = MODULE_FORMATS[extname(file)]
  const isModule = format !== undefined && /^\s*export\s/m.test(readFileSync(file, 'utf8'))
  const hooks = registerHooks({
    load: (url, context, nextLoad) =>
      nextLoad(url, url === href && isModule ? { ...context, format } : context),
  })
  try {
    return await import(href)
  } finally {
    hooks.deregister()
  }
}

/** The policy, with whatever is wrong with it told by the name of its file. What it does to its facts, no other policy sees. */
function guarded(file: string, policy: Policy<GraphFacts>): Policy<GraphFacts> {
  return (facts) => {
    let bids: Bids | undefined
    try {
      bids = policy(copiedFacts(facts))
    } catch (cause) {
      const where = lineOf(cause, file)
      throw new UsageError(`--policy-file ${file} failed${where}: ${thrownText(cause)}`, { cause })
    }
    if (typeof bids !== 'object' || bids === null)
      throw new UsageError(`--policy-file ${file} must give its bids: { purpose, urls, gains }`)
    return checkedBids(file, bids, facts)
  }
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
