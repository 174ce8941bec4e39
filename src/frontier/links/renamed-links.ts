import { type LinkRow, SPOKEN_LINKS } from './link-store.ts'

/** Links by what they call their targets; the arrays are of one length. */
type NamedTargets = Pick<LinkRow, 'targets' | 'anchors'>

/** Links that came or went with their texts. */
export interface RenamedLinks extends NamedTargets {
  /** None went. */
  readonly areNew?: true
}

/** The links of a page that came or went with their texts, as far as others are found by them. */
export function renamedLinks(before: NamedTargets, after: NamedTargets): RenamedLinks {
  const old = spoken(before)
  const now = spoken(after)
  if (old.targets.length === 0) return { ...now, areNew: true }
  const renamed = [...without(now, old), ...without(old, now)]
  return {
    targets: Uint32Array.from(renamed, ([target]) => target),
    anchors: Uint32Array.from(renamed, ([, anchor]) => anchor),
  }
}

function spoken({ targets, anchors }: NamedTargets): NamedTargets {
  return { targets: targets.subarray(0, SPOKEN_LINKS), anchors: anchors.subarray(0, SPOKEN_LINKS) }
}

/** Those that others do not have. */
function* without({ targets, anchors }: NamedTargets, others: NamedTargets) {
  const had = new Set(Array.from(others.targets, (to, i) => `${to} ${others.anchors[i]}`))
  for (const [i, to] of targets.entries())
    if (!had.has(`${to} ${anchors[i]}`)) yield [to, anchors[i]] as const
}
