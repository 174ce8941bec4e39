/** What pages of the control room can do beyond their links and forms: late parts come by themselves, and news too. */
export const CONTROL_SCRIPT = `'use strict'
const parser = new DOMParser()
const heading = document.querySelector('h1')
const asked = async (path, header) => {
  const answer = await fetch(path, { headers: { [header]: '1' } })
  const title = decodeURIComponent(answer.headers.get('x-title') ?? '')
  if (title && heading) {
    heading.textContent = title
    document.title = title + document.title.slice(document.title.lastIndexOf(' – '))
  }
  const seen = answer.headers.get('x-seen')
  const live = document.getElementById('live')
  if (seen && live && !live.hasChildNodes()) live.textContent = 'As of ' + seen
  return parser.parseFromString(await answer.text(), 'text/html')
}
const loadParts = (root = document) => Promise.all([...root.querySelectorAll('[data-part]')].map(async (part) => {
  try {
    const page = await asked(part.dataset.part, 'x-part')
    part.replaceChildren(...page.body.childNodes)
  } catch {}
  part.removeAttribute('aria-busy')
  await loadParts(part)
}))
const isBusy = () => {
  const { activeElement: field } = document
  return document.hidden || (field && field.matches('input, select, textarea'))
}
const openDetails = (root) => [...root.querySelectorAll('details')].map((one) => one.open)
const nameOf = (one) => one.id + (one.getAttribute('href') ?? one.getAttribute('aria-label') ?? one.textContent)
let isRenewing = false
const renew = async () => {
  if (isRenewing || isBusy()) return
  isRenewing = true
  try {
    const page = await asked(location.href, 'x-renew')
    const main = document.getElementById('main')
    const now = page.getElementById('main')
    if (!now) return
    const late = [...main.querySelectorAll('[data-part]')]
    for (const part of now.querySelectorAll('[data-part]')) {
      const before = late.find((one) => one.dataset.part === part.dataset.part)
      if (before) part.replaceChildren(...[...before.childNodes].map((node) => node.cloneNode(true)))
    }
    const opened = openDetails(main)
    const focused = main.contains(document.activeElement) ? nameOf(document.activeElement) : ''
    now.querySelectorAll('details').forEach((one, i) => { one.open = opened[i] === true })
    main.replaceChildren(...now.childNodes)
    const again = focused && [...main.querySelectorAll('a, summary, [tabindex]')].find((one) => nameOf(one) === focused)
    if (again) again.focus({ preventScroll: true })
    for (const id of ['live', 'doing']) {
      const [before, after] = [document.getElementById(id), page.getElementById(id)]
      if (before && after) before.replaceChildren(...after.childNodes)
    }
    await loadParts()
  } catch {} finally {
    isRenewing = false
  }
}
loadParts()
if (document.body.dataset.still === undefined) new EventSource('/control/events').addEventListener('news', renew)
`
