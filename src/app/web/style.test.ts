import { describe, expect, test } from 'vitest'
import { DARK, LIGHT, STYLE } from './style.ts'

/** Relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('%s', (_, colours) => {
  test('words stand out from what is behind them (WCAG AA: 4.5)', () => {
    for (const ground of [colours.ground, colours.raised])
      for (const name of ['ink', 'quiet', 'link', 'visited', 'accent'] as const)
        expect(contrast(colours[name], ground), name).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colours.onAccent, colours.accent)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colours.onMark, colours.mark)).toBeGreaterThanOrEqual(4.5)
  })

  test('the edge of the field and the focus ring can be seen (WCAG AA: 3)', () => {
    for (const ground of [colours.ground, colours.raised])
      for (const name of ['edge', 'accent'] as const)
        expect(contrast(colours[name], ground), name).toBeGreaterThanOrEqual(3)
  })
})

test('nothing is fetched from elsewhere', () => {
  expect(STYLE).not.toMatch(/url\(|@import|https?:/)
})
