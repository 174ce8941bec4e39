/** MiniSearch as the other engines of `npm run bench -- index` are: see ../index-engines.ts. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import MiniSearch from 'minisearch'

const OPTIONS = {
  fields: ['title', 'anchors', 'urlWords', 'text'],
  extractField: (document, field) =>
    field === 'anchors' ? document.anchors.join('\n') : document[field],
}

/** As it comes: any word may match; it keeps the index, not the fields. */
export function openMiniSearch(file, best) {
  const index = existsSync(file)
    ? MiniSearch.loadJSON(readFileSync(file, 'utf8'), OPTIONS)
    : new MiniSearch(OPTIONS)
  return {
    add: (documents) => index.addAll(documents),
    replace: (documents) => {
      for (const document of documents) index.replace(document)
    },
    search: (words) =>
      index
        .search(words)
        .slice(0, best)
        .map(({ id }) => id),
    save: () => writeFileSync(file, JSON.stringify(index)),
  }
}
