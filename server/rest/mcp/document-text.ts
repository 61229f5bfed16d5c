/** The words of a document, a part at a time. Only what is stored as text is given; nothing is converted. */
import type * as fhir from 'fhir/r4.js'
import type { z } from 'zod'
import type { textSchema, Untrusted } from '../../contract/mcp/records.ts'
import type { StoredDocument } from '../../store/documents.ts'

type Part = { offset: number; maxCharacters: number }

const textual = /^(text\/|application\/(json|xml)\b|application\/[\w.-]+\+(json|xml)\b)/i

/** @param document its stored bytes; null where there are none */
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

/** Reads no further than the part goes. */
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
    // One more than asked for tells that there is more.
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

/** A character of two units is not cut in its middle, unless it is all there is. */
const withoutHalf = (text: string): string =>
  text.length > 1 && /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text

const inline = (data: string | undefined): Iterable<Uint8Array> | null =>
  data === undefined ? null : [Buffer.from(data, 'base64')]

// Words of charts on their way to a language model. Characters that a person would not see (those of tags and variants,
// which can spell out hidden text, those that turn the direction of writing, and control characters) are left out
// everywhere.

const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu

/** Joiners and the two styles of a pictogram: scripts and pictures need one, or one of each, and no row of them. */
const needed = /[\u200c-\u200d]|[\ufe0e-\ufe0f]/
const rowOfNeeded = new RegExp(`(?:${needed.source}){3,}`, 'g')
const isKept = (character: string) => character === '\n' || character === '\t' || needed.test(character)

export const withoutUnseen = (text: string): string =>
  text.replace(unseen, (character) => (isKept(character) ? character : '')).replace(rowOfNeeded, '')

/** Null for nothing. */
export const untrusted = (text: string | undefined | null): Untrusted | null =>
  text ? { untrusted: true, text } : null

/** The text of a result, cleaned in every place. Written as JSON, no word of a chart can end its own quotes. */
export function toCleanText(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'string' ? withoutUnseen(each) : each,
  )
}
