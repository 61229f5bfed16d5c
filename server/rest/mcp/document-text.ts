/** Reads the text of a document in parts. Only text formats are supported; nothing is converted. */
import type * as fhir from 'fhir/r4.js'
import type { z } from 'zod'
import type { textSchema, Untrusted } from '../../contract/mcp/records.ts'
import type { StoredDocument } from '../../store/documents.ts'

type Part = { offset: number; maxCharacters: number }

const textual = /^(text\/|application\/(json|xml)\b|application\/[\w.-]+\+(json|xml)\b)/i

/** @param document the stored bytes; null if there are none */
export async function toDocumentText(
  resource: fhir.DocumentReference,
  document: StoredDocument | null,
  part: Part,
): Promise<z.output<typeof textSchema>> {
  const attachment = resource.content[0]?.attachment
  const contentType = document?.contentType ?? attachment?.contentType ?? null
  const described = {
    reference: `DocumentReference/${resource.id}`,
    title: untrusted(attachment?.title ?? resource.description),
    contentType,
  }
  const bytes = document?.bytes() ?? inline(attachment?.data)
  if (contentType === null || !textual.test(contentType) || bytes === null) {
    return { ...described, text: null, offset: 0, nextOffset: null }
  }
  return { ...described, ...(await partOf(decoded(bytes), part)) }
}

/** Reads the pieces only to the end of the part. */
export async function partOf(
  pieces: AsyncIterable<string>,
  { offset, maxCharacters }: Part,
): Promise<Pick<z.output<typeof textSchema>, 'text' | 'offset' | 'nextOffset'>> {
  const end = offset + maxCharacters
  let seen = 0
  let text = ''
  for await (const piece of pieces) {
    const from = Math.max(0, offset - seen)
    seen += piece.length
    if (from < piece.length) text += piece.slice(from)
    // One more character shows that there is more text.
    if (seen > end) break
  }
  const cut = withoutHalf(text.slice(0, maxCharacters))
  const hasMore = text.length > cut.length
  return { text: untrusted(cut), offset, nextOffset: hasMore && cut !== '' ? offset + cut.length : null }
}

async function* decoded(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Does not cut a surrogate pair, unless the text is a single unit. */
const withoutHalf = (text: string): string =>
  text.length > 1 && /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text

const inline = (data: string | undefined): Iterable<Uint8Array> | null =>
  data === undefined ? null : [Buffer.from(data, 'base64')]

// Cleans text from charts for language models. It removes characters that people do not see: tags and variation selectors,
// which can encode hidden text, characters that change the direction of writing, and control characters.

const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu

/** Joiners and the two emoji style selectors. Scripts and emoji need one or two of them in a row, but not more. */
const joiner = /[\u200c-\u200d]|[\ufe0e-\ufe0f]/
const joinerRow = new RegExp(`(?:${joiner.source}){3,}`, 'g')
const isAllowed = (character: string) => character === '\n' || character === '\t' || joiner.test(character)

export const withoutUnseen = (text: string): string =>
  text.replace(invisible, (character) => (isAllowed(character) ? character : '')).replace(joinerRow, '')

/** @returns null for an empty text */
export const untrusted = (text: string | undefined | null): Untrusted | null =>
  text ? { untrusted: true, text } : null

/** The JSON of a result with all texts cleaned. JSON escapes quotes, so that text from a chart cannot end its string. */
export function toCleanText(value: unknown): string {
  return JSON.stringify(value, (_name, field: unknown) =>
    typeof field === 'string' ? withoutUnseen(field) : field,
  )
}
