/** Columns of numbers as text for a file, whole and exact. */
export interface PackedColumns {
  readonly [name: string]: { readonly of: 'uint32' | 'float64'; readonly bytes: string }
}

type Columns = Readonly<Record<string, Uint32Array | Float64Array>>

export function packed(columns: Columns): PackedColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      {
        of: column instanceof Uint32Array ? ('uint32' as const) : ('float64' as const),
        bytes: Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64'),
      },
    ]),
  )
}

export function unpacked<T extends Columns>(columns: PackedColumns): T {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { of, bytes }]) => {
      const { buffer } = Uint8Array.from(Buffer.from(bytes, 'base64'))
      return [name, of === 'uint32' ? new Uint32Array(buffer) : new Float64Array(buffer)]
    }),
  ) as T
}
