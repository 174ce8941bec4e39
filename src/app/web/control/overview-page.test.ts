import { expect, test } from 'vitest'
import type { Overview } from '#library/views/overview.ts'
import { overviewContent } from './overview-page.ts'

const crawl: Overview = {
  ...{ dir: 'crawl', at: 1_000, stretchSeconds: 10, stretches: [], problems: [] },
  status: { dir: 'crawl', spent: 20, known: 30, hosts: 2 } as unknown as Overview['status'],
  course: [
    { cycle: 1, at: 500, fetches: 10, gained: 0, price: 3 },
    { cycle: 2, at: 900, fetches: 20, gained: 0, price: 2 },
  ],
}

test('where no searches were known, no line at zero pretends that quality was measured', () => {
  const page = overviewContent(crawl, 1_000).text
  expect(page).toContain('Nothing was measured')
  expect(page).not.toContain('Quality, by the fetches it took')
  const course = crawl.course.map((point) => ({ ...point, gained: point.cycle }))
  const measured = overviewContent({ ...crawl, course }, 1_000).text
  expect(measured).toContain('Quality, by the fetches it took')
  expect(measured).not.toContain('Nothing was measured')
})

test('seeds that brought nothing are problems that want a person', () => {
  const seed = { url: 'http://a.example/', outcome: 'gone', status: 404 }
  const page = overviewContent({ ...crawl, problems: [{ kind: 'silent seed', seed }] }, 1_000).text
  expect(page).toContain('http://a.example/ brought nothing: there is no such page (status 404)')
})
