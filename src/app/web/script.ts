/** What the page can do beyond its links and its form; all of it is left out without JavaScript. */
export const SCRIPT = `'use strict'
const field = document.getElementById('q')
const hint = document.getElementById('slash')
if (hint) hint.hidden = false
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey) return
  if (!field || event.target.closest('input, textarea, select, [contenteditable]')) return
  event.preventDefault()
  field.focus()
  field.select()
})
`
