import { expect, test } from 'vitest'
import { settingsIn } from '../settings/config-file.ts'
import { commentedConfig } from './commented-config.ts'

const answers = { seed: 'https://example.org/', contact: 'us@example.org', budget: 500 }

test('a crawl gets its budget, and every comment is left out when it is read', () => {
  const text = commentedConfig({ ...answers, queryLog: '', isService: false })
  expect(text).toContain('"//')
  expect(settingsIn(JSON.parse(text), 'forager.config.json')).toEqual({
    seedUrls: ['https://example.org/'],
    ...{ scope: 'domain', contact: 'us@example.org', dir: 'forager-data', budget: 500, delay: 1 },
  })
})

test('a service gets its rate, its query log and its control room', () => {
  const text = commentedConfig({ ...answers, queryLog: 'log.csv', isService: true })
  const settings = settingsIn(JSON.parse(text), 'forager.config.json')
  expect(settings).toMatchObject({ fetchesADay: 500, queryLog: 'log.csv', queryLogFormat: 'csv' })
  expect(settings).toMatchObject({ serve: 8080, control: true })
  expect(settings).not.toHaveProperty('budget')
})
