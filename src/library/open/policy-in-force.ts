import { SettingError } from '#errors/setting-error.ts'
import { checkedPolicy, isPolicyName, renameNote, UNIFIED } from '#policy/registry/policy-name.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { thinksInQuality, whyNoCopies } from '../settings/policy-names.ts'
import { DEFAULT_POLICY, type Settings } from '../settings/settings.ts'
import type { NoteListener } from './crawl-note.ts'
import { goesByIndex } from './crawl-policy.ts'
import type { OpenCrawl } from './open-crawl.ts'
import type { OwnBidders } from './policy-file.ts'

/** What the default gives way to where there is no index: links are all there is to go by. */
const WITHOUT_INDEX = 'pagerank'

const OURS: OwnBidders = { registry: REGISTRY, own: [] }

/**
 * The policy to go by: the one that was chosen, by its name or by its file, now or in the last run, else the default.
 * Only one that was chosen now never gives way where there is no index.
 */
export function policyInForce(
  chosen: string | undefined,
  { state, lastPolicy }: Pick<OpenCrawl, 'state' | 'lastPolicy'>,
  note: NoteListener,
  { registry, own }: OwnBidders = OURS,
): string {
  if (chosen !== undefined) {
    const renamed = renameNote(chosen)
    if (renamed !== undefined) note({ kind: 'policy', text: renamed })
    return checkedPolicy(chosen, 'policy', registry)
  }
  if (own.length > 1)
    throw new SettingError(
      'policyFile',
      `{policyFile} names ${own.length} policies: choose one with {policy}, as in {policy} ${own[0].name}`,
    )
  if (own.length === 1) return own[0].name
  const policy = lastPolicy ?? DEFAULT_POLICY
  if (!isPolicyName(policy, registry))
    throw new SettingError(
      'policy',
      `the last run went by {policy} ${policy}, which is none of ours: name its file with {policyFile}, or another with {policy}`,
    )
  if (!state.indexer && goesByIndex(policy, registry)) {
    note({ kind: 'policy without index', policy: WITHOUT_INDEX })
    return WITHOUT_INDEX
  }
  if (policy !== DEFAULT_POLICY) note({ kind: 'policy as before', policy })
  return policy
}

/** Says so where a policy will fetch no copies again; gives why. */
export function noteWithoutCopies(
  policy: string,
  { state }: Pick<OpenCrawl, 'state'>,
  note: NoteListener,
  { registry }: Pick<OwnBidders, 'registry'> = OURS,
): string | undefined {
  const why = whyNoCopies(policy, state.tracker !== undefined, registry)
  if (why !== undefined) note({ kind: 'no copies', policy, why })
  return why
}

/** Complains where `untilGain` could not be told from never. */
export function checkUntilGain(
  untilGain: number | undefined,
  policy: string,
  { state }: Pick<OpenCrawl, 'state'>,
  note: NoteListener,
  { registry }: Pick<OwnBidders, 'registry'> = OURS,
): void {
  if (untilGain === undefined) return
  if (!state.indexer)
    throw new SettingError(
      'untilGain',
      '{untilGain} goes by how queries are answered, so it needs the index: leave out {noIndex} or {untilGain}',
    )
  if (!thinksInQuality(policy, registry))
    throw new SettingError(
      'untilGain',
      `{untilGain} needs a policy that expects gains in quality, and ${policy} does not: choose {policy} unified, impact or split:70/20/10, or leave out {untilGain}`,
    )
  if (!state.tracker) note({ kind: 'gains not measured' })
}

/** Complains where nobody could tell what a rendering is worth. */
export function checkRender(
  { render, policy }: Pick<Settings, 'render' | 'policy'>,
  { state }: Pick<OpenCrawl, 'state'>,
): void {
  if (!render) return
  if (!state.indexer)
    throw new SettingError(
      'render',
      '{render} goes by what searchers would gain, so it needs the index: leave out {noIndex} or {render}',
    )
  if (policy !== UNIFIED)
    throw new SettingError(
      'render',
      `{render} is bid for beside all other fetches, in the currency of {policy} ${UNIFIED}; ${policy} has another: choose {policy} ${UNIFIED}, or leave out {render}`,
    )
}
