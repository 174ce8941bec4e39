import { type CalibrationGroup, calibrationGroups } from '#numeric/learning/calibration.ts'

/** A group as results tell it; `weight` is what `rows` was called, too, when rows could weigh more than 1. */
export type ToldGroup = CalibrationGroup & { readonly weight: number }

/** What was predicted and realised by tenths, as results tell it. */
export function toldGroups(
  predicted: ArrayLike<number>,
  realised: ArrayLike<number>,
): readonly ToldGroup[] {
  return calibrationGroups(predicted, realised).map(({ rows, ...means }) => ({
    ...{ rows, weight: rows },
    ...means,
  }))
}
