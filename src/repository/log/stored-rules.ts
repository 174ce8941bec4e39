import { parseScope, type ScopeRules } from '#frontier/scope.ts'

/** What a directory's settings say of where its crawl may go. */
export type StoredSettings = ReadonlyMap<string, string>

/** As broad as can be. */
export const ANYWHERE: ScopeRules = { scope: 'anywhere' }

/** The rules a crawl was begun with; undefined before its first run. */
export function storedRules(settings: StoredSettings): ScopeRules | undefined {
  const text = settings.get('scope')
  if (text === undefined) return undefined
  return text.startsWith('{') ? JSON.parse(text) : { scope: parseScope(text) } // as it was written at first
}

/** The URLs a crawl was begun with, in the order they were first given. */
export function storedSeeds(settings: StoredSettings): string[] {
  return JSON.parse(settings.get('seeds') ?? '[]')
}
