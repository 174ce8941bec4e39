import { existsSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import { UsageError } from '#parse/usage-error.ts'
import type { Bids, Policy } from '#policy/bids.ts'

/** Policies from the user's own files, by the file's name without its ending. */
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
    policies[name] = checked(file, await load(file))
  }
  return policies
}

async function load(file: string): Promise<Policy<GraphFacts>> {
  if (!existsSync(file)) throw new UsageError(`--policy-file ${file}: there is no such file`)
  let loaded: { default?: unknown }
  try {
    loaded = await import(pathToFileURL(resolve(file)).href)
  } catch (cause) {
    throw new UsageError(`--policy-file ${file} cannot be loaded: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (typeof loaded.default !== 'function')
    throw new UsageError(
      `--policy-file ${file} must export its policy: export default function (facts) { … }`,
    )
  return loaded.default as Policy<GraphFacts>
}

/** The policy, with its bids looked through: a wrong one would spoil the experiment quietly. */
function checked(file: string, policy: Policy<GraphFacts>): Policy<GraphFacts> {
  return (facts) => {
    const bids = policy(facts)
    const fault = faultOf(bids, facts)
    if (fault !== undefined) throw new UsageError(`--policy-file ${file}: ${fault}`)
    return bids
  }
}

function faultOf(bids: Bids | undefined, { candidates }: GraphFacts): string | undefined {
  if (!(bids?.urls instanceof Uint32Array) || !(bids.gains instanceof Float64Array))
    return 'it must give { purpose, urls: Uint32Array, gains: Float64Array, why }'
  if (typeof bids.why !== 'function')
    return 'why must be a function from the number of a bid to a text'
  if (bids.urls.length !== bids.gains.length)
    return `there are ${bids.urls.length} urls and ${bids.gains.length} gains; each URL needs one`
  const isCandidate = new Set(candidates)
  const bidFor = new Set<number>()
  for (const [i, url] of bids.urls.entries()) {
    if (!isCandidate.has(url)) return `urls[${i}] = ${url} is none of facts.candidates`
    if (bidFor.has(url)) return `urls[${i}] = ${url} is bid for twice`
    if (!Number.isFinite(bids.gains[i])) return `gains[${i}] is ${bids.gains[i]}, not a number`
    bidFor.add(url)
  }
  return undefined
}
