import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { linkContexts } from './link-contexts.ts'

const HOME = 'http://a.example/'
const [LIME, MORTAR, KILN] = ['lime', 'mortar', 'kiln'].map((name) => `${HOME}${name}`)

function contextsOf(page: {
  text?: string[]
  boilerplate?: string[]
  links: [url: string, anchor: string][]
}) {
  const leaf = [{ live: [0, 0] as const }]
  const home = [{ live: [0, 0] as const, ...page }]
  const pages = { [HOME]: home, [LIME]: leaf, [MORTAR]: leaf, [KILN]: leaf }
  const archive = archiveOf(smallArchive(1, pages))
  return linkContexts(archive, 0).map(({ target, link: _, ...context }) => ({
    ...context,
    to: archive.urlOf(target),
  }))
}

test('a link has the words of its sentence nearest, then those of its block', () => {
  const [context] = contextsOf({
    text: ['Walls dry slowly. We burn stone in a kiln near the sea. Nobody knows why.'],
    links: [[KILN, 'kiln']],
  })
  expect(context).toEqual({
    to: KILN,
    near: 'We burn stone in a near the sea.',
    block: 'Walls dry slowly. We burn stone in a near the sea. Nobody knows why.',
    teaser: '',
    heading: '',
  })
})

test('what follows a link is its teaser up to the next link, and a short line above is its heading', () => {
  const contexts = contextsOf({
    text: ['Building', 'Lime', 'It is burnt stone.', 'Mortar', 'Lime with sand.', 'And water.'],
    links: [
      [LIME, 'Lime'],
      [MORTAR, 'Mortar'],
    ],
  })
  expect(contexts.map(({ to, teaser, heading }) => [to, teaser, heading])).toEqual([
    [LIME, 'It is burnt stone.', 'Building'],
    [MORTAR, 'Lime with sand. And water.', 'Building'],
  ])
})

test('links are found in turn, so the same words twice are two places', () => {
  const contexts = contextsOf({
    text: ['Here you read of lime.', 'There it is sold: here too.'],
    links: [
      [LIME, 'Here'],
      [KILN, 'here'],
    ],
  })
  expect(contexts.map(({ to, near }) => [to, near])).toEqual([
    [LIME, 'you read of lime.'],
    [KILN, 'There it is sold: too.'],
  ])
})

test('an anchor may span blocks; links in menus, and those whose words are nowhere, have no context', () => {
  const contexts = contextsOf({
    boilerplate: ['Kiln'],
    text: ['Mortar', 'Aug 11, 2016', 'From lime.'],
    links: [
      [KILN, 'Kiln'],
      [LIME, 'a picture of lime'],
      [MORTAR, 'Mortar Aug 11, 2016'],
    ],
  })
  expect(contexts.map(({ to, teaser }) => [to, teaser])).toEqual([
    [MORTAR, 'Aug 11, 2016 From lime.'],
  ])
})
