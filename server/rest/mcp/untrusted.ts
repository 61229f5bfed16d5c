/**
 * Words of charts on their way to a language model. Characters that a person would not see (those of tags and variants,
 * which can spell out hidden text, those that turn the direction of writing, and control characters) are left out
 * everywhere.
 */
import type { Untrusted } from '../../contract/mcp/records.ts'

const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu

/** Joiners and the two styles of a pictogram: scripts and pictures need one, or one of each, and no row of them. */
const needed = /[\u200c-\u200d]|[\ufe0e-\ufe0f]/
const rowOfNeeded = new RegExp(`(?:${needed.source}){3,}`, 'g')
const kept = (character: string) => character === '\n' || character === '\t' || needed.test(character)

export function withoutUnseen(text: string): string {
  return text.replace(unseen, (character) => (kept(character) ? character : '')).replace(rowOfNeeded, '')
}

/** Null for nothing. */
export function untrusted(text: string | undefined | null): Untrusted | null {
  return text ? { untrusted: true, text } : null
}

/** The text of a result, cleaned in every place. Written as JSON, no word of a chart can end its own quotes. */
export function toCleanText(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'string' ? withoutUnseen(each) : each,
  )
}
