import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { BucketsFolder } from '#repository/buckets/buckets-folder.ts'
import { openBuckets } from './buckets-crawl.ts'

test('buckets that another version made are not gone on with', () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-buckets-'))
  try {
    writeFileSync(new BucketsFolder(dir).crawlPath, JSON.stringify({ format: 1, buckets: 2 }))
    expect(() => openBuckets(dir)).toThrow(SettingError)
    expect(() => openBuckets(dir)).toThrow(/another version of Forager: .*choose another/)
  } finally {
    rmSync(dir, { recursive: true })
  }
})
