/** One more than the largest of some numbers: the length of a column that has a place for each. 0 if there are none. */
export function boundOf(numbers: ArrayLike<number>): number {
  let bound = 0
  for (let i = 0; i < numbers.length; i++) if (numbers[i] >= bound) bound = numbers[i] + 1
  return bound
}
