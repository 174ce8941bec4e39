import { expect, test } from 'vitest'
import { eventFile, eventFilesIn } from './event-files.ts'

test('logs are in the order of days and parts, whatever else lies beside them', () => {
  const names = [
    'events-2026-02-01.jsonl',
    'events-2026-01-31.10.jsonl',
    'link-key',
    'events-2026-01-31.2.jsonl',
    'events-2026-01-31.jsonl.bak',
    'events-2026-01-31.jsonl',
  ]
  const files = eventFilesIn(names)
  expect(files.map(({ day, part }) => [day, part])).toEqual([
    ['2026-01-31', 1],
    ['2026-01-31', 2],
    ['2026-01-31', 10],
    ['2026-02-01', 1],
  ])
  for (const file of files) expect(eventFile(file.day, file.part)).toEqual(file)
})
