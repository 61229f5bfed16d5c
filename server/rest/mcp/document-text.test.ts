import { describe, expect, test } from 'vitest'
import { partOf, toDocumentText } from './document-text.ts'

async function* pieces(...given: string[]) {
  yield* given
}

describe('a part of a text', () => {
  test.each([
    ['the beginning', 0, 4, 'abcd', 4],
    ['over the end of a piece', 2, 3, 'cde', 5],
    ['up to the very end', 4, 4, 'efgh', null],
    ['beyond the end', 9, 4, undefined, null],
  ])('is %s', async (_what, offset, maxCharacters, text, nextOffset) => {
    const part = await partOf(pieces('abcd', 'ef', 'gh'), { offset, maxCharacters })

    expect(part).toEqual({ text: text === undefined ? null : { untrusted: true, text }, offset, nextOffset })
  })

  test('does not cut a character in two', async () => {
    const first = await partOf(pieces('ab😀c'), { offset: 0, maxCharacters: 3 })
    const rest = await partOf(pieces('ab😀c'), { offset: first.nextOffset ?? 0, maxCharacters: 9 })

    expect([first.text?.text, rest.text?.text]).toEqual(['ab', '😀c'])
  })

  test('reads no further than it has to', async () => {
    let read = 0
    async function* counted() {
      for (;;) {
        read += 1
        yield 'x'.repeat(10)
      }
    }

    await partOf(counted(), { offset: 15, maxCharacters: 10 })

    expect(read).toBe(3)
  })
})

describe('a document', () => {
  const resource = (contentType: string, data?: string) => ({
    resourceType: 'DocumentReference' as const,
    id: 'doc-1',
    status: 'current' as const,
    content: [{ attachment: { contentType, title: 'A note', ...(data && { data }) } }],
  })
  const part = { offset: 0, maxCharacters: 100 }

  test('that carries its bytes itself is read', async () => {
    const data = Buffer.from('Grüße').toString('base64')

    const answer = await toDocumentText(resource('text/plain; charset=utf-8', data), null, part)

    expect(answer).toMatchObject({
      reference: 'DocumentReference/doc-1',
      text: { text: 'Grüße' },
      nextOffset: null,
    })
  })

  test.each(['application/pdf', 'image/png', 'application/octet-stream'])(
    'of %s is named only',
    async (type) => {
      const answer = await toDocumentText(resource(type, Buffer.from('x').toString('base64')), null, part)

      expect(answer).toMatchObject({ contentType: type, text: null })
    },
  )

  test('without bytes has no text', async () => {
    expect((await toDocumentText(resource('text/plain'), null, part)).text).toBeNull()
  })
})
