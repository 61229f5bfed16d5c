/** Text in pieces as a body: gathered to a size worth sending, and made no faster than it is taken. */

const chunkCharacters = 64 * 1024

/** What `pieces` throws breaks the body off; who goes away ends the pieces. */
export function streamText(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let gathered = ''
        while (gathered.length < chunkCharacters) {
          const { done, value } = await iterator.next()
          if (done) {
            if (gathered !== '') controller.enqueue(encoder.encode(gathered))
            controller.close()
            return
          }
          gathered += value
        }
        controller.enqueue(encoder.encode(gathered))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}
