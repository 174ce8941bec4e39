import { join } from 'node:path'

/** The program that serves the hosts. */
export const SERVER = join(import.meta.dirname, 'server.ts')
