import type { Instruction } from '#frontier/instructions.ts'
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

/** What operators told the crawl, in the order in which it heard of it. */
export function storedInstructions(settings: StoredSettings): Instruction[] {
  return JSON.parse(settings.get(INSTRUCTIONS) ?? '[]')
}

/** The setting that holds them. */
export const INSTRUCTIONS = 'instructions'

/** The URLs a crawl was begun with, in the order they were first given. */
export function storedSeeds(settings: StoredSettings): string[] {
  return JSON.parse(settings.get('seeds') ?? '[]')
}
