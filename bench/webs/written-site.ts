import { type Random, seededRandom, WeightedSampler, zipfWeights } from '#numeric/random.ts'

const LINKS_A_PAGE = 80
const NAV_LINKS = 12
const FOOTER_LINKS = 18
const WORDS = 4_000
const SYLLABLES =
  'an be cor de el fin ga hu im jo ka lu mer no os pra qui ro sta te un vi wo'.split(' ')

/** A site on several hosts that is the same on every machine: page n lies on host n modulo hosts. */
export interface BenchSite {
  readonly pages: number
  readonly hosts: number
  /** About so many bytes a page; single pages have between two thirds and four thirds of it. */
  readonly pageBytes: number
}

export function hostOfPage({ hosts }: BenchSite, page: number): string {
  return `www.bench${page % hosts}.test`
}

export function pathOfPage(page: number): string {
  return page === 0 ? '/' : `/section-${page % 37}/article-${page}.html`
}

/** Writes pages as sites do: navigation, scripts, styles, attributes, entities, and 80 links each. */
export class SiteWriter {
  readonly #site: BenchSite
  readonly #words: readonly string[]
  readonly #frequency = new WeightedSampler(zipfWeights(WORDS))

  constructor(site: BenchSite) {
    this.#site = site
    const random = seededRandom(1)
    this.#words = Array.from({ length: WORDS }, (_, rank) =>
      Array.from({ length: 1 + (rank % 4) }, () => random.pick(SYLLABLES)).join(''),
    )
  }

  /** A query log of so many searches, as CSV: one to three words each, the first most often. */
  queryLog(count: number): string {
    const random = seededRandom(0)
    const texts = new Set<string>()
    while (texts.size < count) {
      const words = Array.from({ length: 1 + (texts.size % 3) }, () => random.pick(this.#words))
      texts.add(words.join(' '))
    }
    const lines = Array.from(texts, (text, rank) => `${text},${Math.ceil(1000 / (rank + 1))}`)
    return ['query,count', ...lines, ''].join('\n')
  }

  page(page: number): string {
    const random = seededRandom(page + 2)
    const bytes = this.#site.pageBytes * (2 / 3 + (2 / 3) * random.next())
    const title = `${this.#prose(random, 6)} – ${hostOfPage(this.#site, page)}`
    const targets = this.#targets(page, random)
    const links = targets.map((target, i) => this.#link(page, target, i, random))
    const head = pageHead(title, this.#prose(random, 18), page)
    const nav = `<nav class="site-nav" role="navigation" aria-label="Main"><ul>${links
      .slice(0, NAV_LINKS)
      .map((link) => `<li class="site-nav__item">${link}</li>`)
      .join('')}</ul></nav>`
    const footer = `<footer class="footer"><ul>${links
      .slice(-FOOTER_LINKS)
      .map((link) => `<li>${link}</li>`)
      .join(
        '\n',
      )}</ul><p>&copy; 2026 ${hostOfPage(this.#site, page)}&nbsp;&mdash; all rights reserved</p></footer>`
    const inText = links.slice(NAV_LINKS, -FOOTER_LINKS)
    let body = ''
    for (let part = 0; head.length + nav.length + footer.length + body.length < bytes; part++)
      body += this.#part(part, inText.splice(0, 3), random)
    body += `<ul class="more">${inText.map((link) => `<li>${link}</li>`).join('')}</ul>`
    return `${head}<body class="article wide">${nav}<main id="content"><h1>${title}</h1>${body}</main>${footer}<script src="/static/app.js" defer></script></body></html>`
  }

  /** Eight pages of its own, so that all can be reached from page 0, and others at random. */
  #targets(page: number, random: Random): number[] {
    const { pages } = this.#site
    return Array.from({ length: LINKS_A_PAGE }, (_, i) => {
      const child = page * 8 + i + 1
      if (i < 8 && child < pages) return child
      const u = random.next()
      return Math.floor(u * u * pages)
    })
  }

  /** Most links stay on the host and name only a path; tracking and fragments occur. */
  #link(page: number, target: number, i: number, random: Random): string {
    const host = hostOfPage(this.#site, target)
    const path = pathOfPage(target)
    const sameHost = host === hostOfPage(this.#site, page)
    const tail = random.chance(0.05) ? '?utm_source=nav&amp;utm_medium=web' : ''
    const fragment = random.chance(0.1) ? '#comments' : ''
    const href = `${sameHost ? '' : `http://${host}`}${path}${tail}${fragment}`
    const text = this.#prose(random, 2 + (i % 4))
    return `<a class="link link--${i % 5}" href="${href}" data-id="${target}" title="${text}">${text}</a>`
  }

  /** A card, a list, a table or a section: about as many elements for its text as real pages have. */
  #part(part: number, links: readonly string[], random: Random): string {
    const text = () => this.#prose(random, 8 + random.below(16))
    const inline = links.map((link) => `${text()} ${link}, `).join('')
    switch (part % 5) {
      case 0:
        return `<div class="row row--${part}"><div class="col col-12 col-md-8"><h2 id="part-${part}" class="heading heading--2"><span class="heading__text">${this.#prose(random, 5)}</span></h2>\n<p class="lead">${text()} <strong>${text()}</strong> ${inline}${text()}</p></div></div>\n`
      case 1:
        return `<div class="card"><div class="card__media"><figure><img class="lazy" src="/images/${part}-640.jpg" srcset="/images/${part}-320.jpg 320w, /images/${part}-640.jpg 640w" width="640" height="360" loading="lazy" alt="${this.#prose(random, 6)}"><figcaption>${text()}</figcaption></figure></div><div class="card__body"><h3 class="card__title">${this.#prose(random, 4)}</h3><p>${inline}<em>${text()}</em></p><button type="button" class="btn btn--ghost" aria-label="Share"><svg class="icon" viewBox="0 0 24 24"><path d="M4 12h16M12 4v16"></path></svg></button></div></div>\n`
      case 2:
        return `<ul class="list">${[...links, '', '', '']
          .map(
            (link) =>
              `<li class="list__item"><span class="icon" aria-hidden="true">&#9679;</span><div class="list__text"><b>${this.#prose(random, 2)}</b> ${link} ${text()}</div></li>`,
          )
          .join('\n')}</ul>\n`
      case 3:
        return `<div class="table-wrap"><table class="data"><thead><tr><th scope="col">${this.#prose(random, 1)}</th><th scope="col">${this.#prose(random, 1)}</th></tr></thead><tbody>${Array.from(
          { length: 6 },
          (_, row) =>
            `<tr class="r${row % 2}"><td>${this.#prose(random, 3)}</td><td class="num">${random.below(1000)}&nbsp;&euro;</td></tr>`,
        ).join('')}</tbody></table></div><p>${inline}${text()}</p>\n`
      default:
        return `<!-- block ${part} --><section class="box box--${part}" data-track='{"block":${part}}'><header><h3>${this.#prose(random, 3)}</h3><time datetime="2026-11-01">1&nbsp;Nov</time></header><p>${inline}${text()}</p><div style="display:flex;gap:1rem"><span class="tag">${this.#prose(random, 1)}</span><span class="tag">${this.#prose(random, 1)}</span><span>${text()}</span></div></section>\n`
    }
  }

  #prose(random: Random, words: number): string {
    let text = ''
    for (let i = 0; i < words; i++) {
      const word = this.#words[this.#frequency.sample(random)]
      if (i === 0) text = word.charAt(0).toUpperCase() + word.slice(1)
      else if (i % 23 === 0) text += ` &amp; ${word}`
      else if (i % 31 === 0) text += ` &ldquo;${word}&rdquo;`
      else text += i % 13 === 0 ? `, ${word}` : ` ${word}`
    }
    return text
  }
}

function pageHead(title: string, description: string, page: number): string {
  const styles = Array.from(
    { length: 60 },
    (_, i) => `.c${i}{margin:${i}px auto;padding:0 ${i % 7}em;color:#${(i * 4369).toString(16)}}`,
  ).join('\n')
  const script = Array.from(
    { length: 40 },
    (_, i) =>
      `window.q.push({event:"view",slot:${i},page:${page},html:"<div class=\\"ad\\"></div>"});`,
  ).join('\n')
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}"><meta property="og:title" content="${title}"><meta name="robots" content="index, follow, max-snippet:-1">
<link rel="stylesheet" href="/static/site.css?v=42"><link rel="icon" href="/favicon.ico"><link rel="preload" href="/static/font.woff2" as="font" crossorigin>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"${title}","identifier":${page}}</script>
<style>${styles}</style>
<script>window.q=window.q||[];${script}</script></head>`
}
