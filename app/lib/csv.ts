import { csvHead, csvLine, type CsvValue as Value } from '../../server/contract/text/csv.ts'
import { attachment } from './attachment.ts'

/**
 * Streams rows as a CSV file while they are read.
 * @param pages the first is read before the response: people without access get an error page, not a broken file
 */
export async function csvFile<Head extends string, Row>(
  name: string,
  heads: readonly Head[],
  pages: AsyncGenerator<readonly Row[], unknown, undefined>,
  toCells: (row: Row) => Readonly<Record<Head, Value>>,
): Promise<Response> {
  const first = await pages.next()
  const encoder = new TextEncoder()
  const lines = (rows: readonly Row[]) => {
    const cells = rows.map(toCells)
    return encoder.encode(cells.map((row) => csvLine(heads.map((head) => row[head]))).join(''))
  }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvHead(heads)))
      if (!first.done) controller.enqueue(lines(first.value))
    },
    async pull(controller) {
      const { done, value } = await pages.next()
      if (done) controller.close()
      else controller.enqueue(lines(value))
    },
    cancel: () => void pages.return(undefined),
  })
  return attachment(body, { name: `${name}.csv`, type: 'text/csv; charset=utf-8' })
}
