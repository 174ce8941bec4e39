import { expect, test } from 'vitest'
import { SendAllowance } from './bounds/send-allowance.ts'
import { OutcomeReader } from './outcome-reader.ts'
import type { Notice, Sender } from './sender.ts'

/** A reader whose sender took so long from request to request. */
function readerAfter(pace: number, usualPace: number): OutcomeReader {
  let tell!: (notice: Notice) => void
  const bounds = { allowance: new SendAllowance() } as never
  const reader = new OutcomeReader({ clock: { now: () => 1 }, bounds, usualPace }, (to) => {
    tell = to
    return {} as Sender
  })
  for (let id = 0; id < 500; id++)
    tell({ kind: 'sent', id, url: `http://h${id % 5}.example/${id}`, cost: 1, pace })
  return reader
}

test('hosts that need not rest are thought to be as fast as those asked lately', () => {
  expect(readerAfter(0.2, 0).paceOf('new.example')).toBeCloseTo(0.2, 3)
})

test('where a rest is usual, a new host rests as long whatever others took', () => {
  expect(readerAfter(3, 1).paceOf('new.example')).toBe(1)
})
