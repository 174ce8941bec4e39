import { createRequire } from 'node:module'
import type undici from 'undici'

type Whole = typeof undici

const load = createRequire(import.meta.url)

/**
 * The parts of undici that a crawl sends with. The package as a whole also loads its fetch, caches, WebSocket and more:
 * five times as many modules, 14 MB of memory and 40 ms in every worker.
 */
export const Pool: Whole['Pool'] = part('dispatcher/pool', 'Pool')
export type Pool = undici.Pool
export const Client: Whole['Client'] = part('dispatcher/client', 'Client')
export const buildConnector: Whole['buildConnector'] = part('core/connect', 'buildConnector')

/** A later version may have it elsewhere, and all of it together where it always was. */
function part<Name extends keyof Whole>(path: string, name: Name): Whole[Name] {
  try {
    return load(`undici/lib/${path}.js`)
  } catch (error) {
    if (
      !/^(?:MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED)$/.test((error as { code: string }).code)
    )
      throw error
    return load('undici')[name]
  }
}
