import { Option } from 'commander'
import { withNames } from '#errors/setting-error.ts'
import { readPolicyFiles } from '#library/open/policy-file.ts'
import type { Bidder } from '#policy/bidder.ts'
import { PURPOSES, type Purpose } from '#policy/bids.ts'
import type { FactName } from '#policy/facts/facts.ts'
import { checkedPolicy, policyList, renameNote } from '#policy/registry/policy-name.ts'
import { type Registry, renamedTo } from '#policy/registry/registry.ts'
import { flagOf } from '../../cli/settings/complaint.ts'
import { several } from '../../cli/settings/options.ts'
import { outputFor } from '../../cli/terminal/output.ts'
import { UsageError } from '../../text/usage-error.ts'
import type { Flag } from './flags.ts'

/** What an experiment can do with policies, and which it compares if none is named. */
interface PolicyUse {
  readonly usual: readonly string[]
  readonly tasks: readonly Purpose[]
  /** The facts there are; all if left out. */
  readonly facts?: readonly FactName[]
  /** What `--policies` says of itself; without any there is no such flag. */
  readonly words?: string
  /** Complains about a name that the experiment can do nothing with. */
  readonly check?: (name: string, registry: Registry) => void
}

/** Who is compared, and whom each name stands for. */
export interface ComparedPolicies {
  readonly registry: Registry
  readonly names: readonly string[]
  /** Whether nobody named any. */
  readonly areUsual: boolean
}

/** What most experiments say of `--policies`. */
export const policyWords = (usual: string) =>
  `policies to compare, separated by commas (default: ${usual})`

/** `--policies` and `--policy-file`: the policies named, those of the user's own files last. */
export function policiesFlag(use: PolicyUse): Flag<ComparedPolicies> {
  const files = new Option(
    '--policy-file <file>',
    'a policy of your own in TypeScript or JavaScript, run as code; may be repeated',
  ).argParser(several)
  const names = (words: string) => new Option('--policies <names>', words)
  return {
    options: () => [...(use.words === undefined ? [] : [names(use.words)]), files],
    read: ({ policies, policyFile }) =>
      comparedPolicies(
        policies as string | undefined,
        policyFile as readonly string[] | undefined,
        use,
      ),
  }
}

/** The flags of experiments with whole crawls; `usual` as users would type it. */
export function crawlPoliciesFlag(usual: string): Flag<ComparedPolicies> {
  return policiesFlag({
    usual: policyList(usual),
    tasks: PURPOSES,
    words: policyWords(usual),
    check: (name, registry) => checkedPolicy(name, 'policies', registry),
  })
}

async function comparedPolicies(
  policies: string | undefined,
  policyFile: readonly string[] | undefined,
  use: PolicyUse,
): Promise<ComparedPolicies> {
  const { usual, check } = use
  const note = (text: string) => outputFor({}).note(withNames(text, flagOf))
  const { registry, own } = await readPolicyFiles(policyFile, note)
  for (const bidder of own) checkUse(bidder, use)
  const named =
    policies === undefined ? usual : policyList(policies).map((name) => current(name, note))
  const names = [...new Set([...named, ...own.map(({ name }) => name)])]
  if (names.length === 0 && usual.length > 0)
    throw new UsageError(`--policies names none: try ${usual.slice(0, 3).join(',')}`)
  for (const name of names) check?.(name, registry)
  return { registry, names, areUsual: policies === undefined }
}

/** A bidder's name as it is now; the user is told if it was another one. */
function current(name: string, note: (text: string) => void): string {
  const renamed = renameNote(name)
  if (renamed !== undefined) note(renamed)
  return renamedTo(name) ?? name
}

/** Complains about a policy that an experiment can do nothing with. */
function checkUse({ name, task, needs }: Bidder, { tasks, facts }: PolicyUse): void {
  if (!tasks.includes(task))
    throw new UsageError(
      `--policy-file: ${name} bids to ${task}, and this experiment compares who bids to ${tasks.join(' or ')}`,
    )
  const unknown = facts ? needs.filter((need) => !facts.includes(need)) : []
  if (unknown.length > 0)
    throw new UsageError(
      `--policy-file: ${name} needs ${unknown.join(', ')}, which nobody knows in this experiment; known are ${facts?.join(', ')}`,
    )
}
