import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PublishedImport } from './published-import.ts'
import { type PublishedChange, PublishedSite } from './published-site.ts'

const BASE = 'https://example.org/'
const file = (path: string, blob: string): PublishedChange => ({ path, kind: 'file', blob })
const deleted = (path: string): PublishedChange => ({ path, kind: 'deleted', blob: '0' })

test('an address shows the best of the files that may stand for a folder', () => {
  const site = new PublishedSite(BASE)
  const change = (...changes: PublishedChange[]) => {
    changes.forEach((each) => {
      site.apply(each)
    })
    return site.takeChanges()
  }
  expect(change(file('index', 'a'), file('style.css', 'x'))).toEqual([{ url: BASE, blob: 'a' }])
  expect(change(file('index.html', 'b'))).toEqual([{ url: BASE, blob: 'b' }])
  expect(change(file('index.htm', 'c'))).toEqual([{ url: BASE, blob: 'b' }])
  expect(change(deleted('index.html'))).toEqual([{ url: BASE, blob: 'c' }])
  expect(change(deleted('index'), deleted('index.htm'))).toEqual([{ url: BASE, blob: undefined }])
  expect(change()).toEqual([])
})

test('a file that becomes a link or module is gone, and counted once', () => {
  const site = new PublishedSite(BASE)
  site.apply(file('a.html', '1'))
  site.apply({ path: 'a.html', kind: 'symlink', blob: '2' })
  site.apply({ path: 'b.html', kind: 'symlink', blob: '2' })
  site.apply({ path: 'b.html', kind: 'symlink', blob: '3' })
  site.apply({ path: 'module', kind: 'submodule', blob: '4' })
  site.apply({ path: 'link', kind: 'symlink', blob: '4' })
  expect(site.takeChanges()).toEqual([{ url: `${BASE}a.html`, blob: undefined }])
  expect(site.passedOver).toEqual({ symlinks: 2, submodules: 1, badNames: 0 })
})

test('what an address has shown is read once, whenever it comes back', () => {
  const blob = fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), blob)), (changes) => {
      const imported = new PublishedImport()
      const read: string[] = []
      for (const [at, [name, content]] of changes.entries()) {
        const url = `${BASE}${name}`
        for (const page of imported.note([{ url, blob: content }], at)) {
          read.push(`${page.url} ${page.blob}`)
          imported.take(page, at, new TextEncoder().encode(`<p>${page.blob}`))
        }
      }
      expect(read.length).toBe(new Set(read).size)
      expect(imported.read).toBe(read.length)
      for (let page = 0; page < imported.web.urls.size; page++)
        expect(imported.web.sightingsOf(page).map(({ content }) => content === 'gone')).toEqual(
          changes
            .filter(([name]) => imported.web.urls.at(page) === BASE + name)
            .map(([, content]) => content === undefined),
        )
    }),
  )
})

test('a page that refreshes elsewhere at once is a redirect; one that waits or stays is a page', () => {
  const kindOf = (html: string) => {
    const imported = new PublishedImport()
    const page = { url: `${BASE}a.html`, blob: '1' }
    imported.note([page], 0)
    imported.take(page, 0, new TextEncoder().encode(html))
    return imported.web.contents[0].redirect ?? 'page'
  }
  const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}"><p>Text`
  expect(kindOf(refresh('0; url=/b.html'))).toBe(`${BASE}b.html`)
  expect(kindOf(refresh("0;URL='https://other.example/'"))).toBe('https://other.example/')
  expect(kindOf(refresh('0; url=a.html'))).toBe('page')
  expect(kindOf(refresh('600; url=/b.html'))).toBe('page')
  expect(kindOf(`<noscript>${refresh('0; url=/b.html')}</noscript>`)).toBe('page')
})
