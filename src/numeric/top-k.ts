import { LazyOrder } from './lazy-order.ts'

/** The indices of the k largest values, largest first; ties go to the lower tie key, then index. */
export function topK(values: Float64Array, k: number, ties?: Uint32Array): Uint32Array {
  const order = new LazyOrder(values, ties)
  const top = new Uint32Array(Math.min(k, values.length))
  for (let place = 0; place < top.length; place++) top[place] = order.next() as number
  return top
}
