import { expect, test } from 'vitest'
import { createSpool } from './spool.ts'

test('text comes back as it went in, whatever its length and letters', async () => {
  const spool = createSpool()
  const parts = Array.from(
    { length: 3_000 },
    (_, index) => `<entry n="${index}">é 花子 ${'x'.repeat(index % 700)}</entry>`,
  )

  for (const part of parts) {
    spool.add(part)
    if (spool.isFull()) await spool.pack()
  }
  let all = ''
  for await (const piece of spool.pieces()) all += piece

  expect(spool.isLong()).toBe(true)
  expect(all).toBe(parts.join(''))
})

test('little text is not packed, and nothing comes back as nothing', async () => {
  const [some, none] = [createSpool(), createSpool()]
  some.add('<entry/>')

  expect(some.isLong()).toBe(false)
  for await (const piece of some.pieces()) expect(piece).toBe('<entry/>')
  expect((await none.pieces().next()).done).toBe(true)
})
