import { expect, test } from 'vitest'
import { SendAllowance } from './bounds/send-allowance.ts'
import { OutcomeReader } from './outcome-reader.ts'
import type { Notice, Sender } from './sender.ts'

/** A reader whose sender asked one host a hundred times and four others once, with so long between two requests. */
function readerAfter(often: number, seldom: number, usualPace: number): OutcomeReader {
  let tell!: (notice: Notice) => void
  const bounds = { allowance: new SendAllowance() } as never
  const reader = new OutcomeReader({ clock: { now: () => 1 }, bounds, usualPace }, (to) => {
    tell = to
    return {} as Sender
  })
  for (let id = 0; id < 104; id++) {
    const [host, pace] = id < 100 ? [0, often] : [id, seldom]
    tell({ kind: 'sent', id, url: `http://h${host}.example/${id}`, cost: 1, pace })
  }
  return reader
}

test('a host that need not rest is thought to be as fast as others are, however often these were asked', () => {
  expect(readerAfter(0, 0.25, 0).paceOf('new.example')).toBeCloseTo(0.2, 3)
})

test('where a rest is usual, a new host rests as long whatever others took', () => {
  expect(readerAfter(3, 3, 1).paceOf('new.example')).toBe(1)
})
