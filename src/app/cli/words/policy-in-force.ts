import { UsageError } from '#errors/usage-error.ts'
import { goesByIndex } from '#library/open/crawl-policy.ts'
import type { OpenCrawl } from '#library/open/open-crawl.ts'
import type { OwnBidders } from '#library/open/policy-file.ts'
import { thinksInQuality, whyNoCopies } from '#library/settings/policy-names.ts'
import { checkedPolicy, isPolicyName, renameNote } from '#policy/registry/policy-name.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import type { ReadSettings } from '../settings/setting-flags.ts'
import type { Output } from '../terminal/output.ts'

/** What the default gives way to where there is no index: links are all there is to go by. */
const WITHOUT_INDEX = 'pagerank'

const OURS: OwnBidders = { registry: REGISTRY, own: [] }

/**
 * The policy to go by: the one that was chosen, by its name or by its file, now or in the last run, else the default.
 * Only one that was chosen now never gives way where there is no index.
 */
export function policyInForce(
  { settings, given }: ReadSettings,
  { state, lastPolicy }: Pick<OpenCrawl, 'state' | 'lastPolicy'>,
  output: Pick<Output, 'note'>,
  { registry, own }: OwnBidders = OURS,
): string {
  if (given.has('policy')) {
    const renamed = renameNote(settings.policy)
    if (renamed !== undefined) output.note(renamed)
    return checkedPolicy(settings.policy, '--policy', registry)
  }
  if (own.length > 1)
    throw new UsageError(
      `--policy-file names ${own.length} policies: choose one with --policy, as in --policy ${own[0].name}`,
    )
  if (own.length === 1) return own[0].name
  const policy = lastPolicy ?? settings.policy
  if (!isPolicyName(policy, registry))
    throw new UsageError(
      `the last run went by --policy ${policy}, which is none of ours: name its file with --policy-file, or another with --policy`,
    )
  if (!state.indexer && goesByIndex(policy, registry)) {
    output.note(
      `without an index nobody can tell what searchers gain: going by --policy ${WITHOUT_INDEX}, new pages only`,
    )
    return WITHOUT_INDEX
  }
  if (policy !== settings.policy)
    output.note(`going by --policy ${policy} as in the last run: name another to change it`)
  return policy
}

/** Says so where a policy will fetch no copies again; gives what it said. */
export function noteWithoutCopies(
  policy: string,
  { state }: Pick<OpenCrawl, 'state'>,
  output: Pick<Output, 'note'>,
  { registry }: Pick<OwnBidders, 'registry'> = OURS,
): string | undefined {
  const why = whyNoCopies(policy, state.tracker !== undefined, registry)
  if (why !== undefined) output.note(`--policy ${policy}: ${why}`)
  return why
}

/** Complains where `--until-gain` could not be told from never. */
export function checkUntilGain(
  untilGain: number | undefined,
  policy: string,
  { state }: Pick<OpenCrawl, 'state'>,
  output: Pick<Output, 'note'>,
  { registry }: Pick<OwnBidders, 'registry'> = OURS,
): void {
  if (untilGain === undefined) return
  if (!state.indexer)
    throw new UsageError(
      '--until-gain goes by how queries are answered, so it needs the index: leave out --no-index or --until-gain',
    )
  if (!thinksInQuality(policy, registry))
    throw new UsageError(
      `--until-gain needs a policy that expects gains in quality, and ${policy} does not: choose --policy unified, impact or split:70/20/10, or leave out --until-gain`,
    )
  if (!state.tracker)
    output.note(
      '--until-gain: no queries are known, so gains are not measured and it cannot stop the crawl; forager queries import brings some',
    )
}
