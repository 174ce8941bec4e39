import { statSync } from 'node:fs'
import type { Settings } from './settings.ts'
import { secretsOf } from './site-setting.ts'

/** Files with secrets in them that others on this machine may read: of the group, or everybody. */
export function exposedFiles(
  { sites = [], identityKey }: Partial<Pick<Settings, 'sites' | 'identityKey'>>,
  settingsFile: string | undefined,
): string[] {
  const secrets = sites.flatMap((site) => secretsOf(site).map(([, secret]) => secret))
  const hasSecrets = secrets.some((secret) => typeof secret === 'string')
  const files = [
    hasSecrets ? settingsFile : undefined,
    identityKey,
    ...secrets.flatMap((secret) =>
      typeof secret === 'object' && 'file' in secret ? secret.file : [],
    ),
  ]
  return [...new Set(files)].filter(
    (file) => file !== undefined && isReadByOthers(file),
  ) as string[]
}

/** Windows tells by other means who may read a file. */
function isReadByOthers(file: string): boolean {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform !== 'win32' && (mode & 0o044) !== 0
}
