import { mixHash } from '../hash.ts'
import { type BoostingOptions, fitBoostedTrees, predictBoostedTrees } from './boosted-trees.ts'
import { type FeatureTable, selectRows } from './feature-table.ts'

/**
 * A fold for each row, 0 to `folds` − 1. Rows of one group (a query, a host) share their fold, which
 * depends on the groups there are and the seed, not on the order of rows. Folds get about equally many
 * groups.
 */
export function foldsByGroup(groups: ArrayLike<number>, folds: number, seed: number): Uint8Array {
  const distinct = [...new Set(Array.from(groups))]
  const drawn = distinct.map((group) => ({ group, lot: mixHash(seed, group) }))
  drawn.sort((a, b) => a.lot - b.lot || a.group - b.group)
  const foldOf = new Map(drawn.map(({ group }, place) => [group, place % folds]))
  return Uint8Array.from(groups, (group) => foldOf.get(group)!)
}

/** The rows of one fold, or with `outside` those of all others. */
export function rowsOfFold(
  folds: Uint8Array,
  fold: number,
  { outside = false }: { outside?: boolean } = {},
): Uint32Array {
  return Uint32Array.from(folds.keys()).filter((row) => (folds[row] === fold) !== outside)
}

/**
 * A prediction for every row by a model that never saw the row's fold. `predict` learns from `training`
 * and predicts `heldOut`, in this order.
 */
export function outOfFold(
  folds: Uint8Array,
  predict: (training: Uint32Array, heldOut: Uint32Array) => ArrayLike<number>,
): Float64Array {
  const predictions = new Float64Array(folds.length)
  for (const fold of new Set(folds)) {
    const heldOut = rowsOfFold(folds, fold)
    const predicted = predict(rowsOfFold(folds, fold, { outside: true }), heldOut)
    for (let i = 0; i < heldOut.length; i++) predictions[heldOut[i]] = predicted[i]
  }
  return predictions
}

/** Predictions of boosted trees for rows that they were not learnt from. */
export function crossFitBoostedTrees(
  table: FeatureTable,
  targets: ArrayLike<number>,
  folds: Uint8Array,
  options: Omit<BoostingOptions, 'validation'>,
): Float64Array {
  const { weights } = options
  return outOfFold(folds, (training, heldOut) => {
    const model = fitBoostedTrees(
      selectRows(table, training),
      Float64Array.from(training, (row) => targets[row]),
      { ...options, weights: weights && Float64Array.from(training, (row) => weights[row]) },
    )
    return predictBoostedTrees(model, selectRows(table, heldOut))
  })
}
