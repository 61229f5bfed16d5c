/**
 * Words of charts on their way to a language model. Characters that a person would not see (those of tags, which can
 * spell out hidden text, those that turn the direction of writing, and control characters) are left out everywhere.
 */
import type { Untrusted } from '../../contract/mcp-records.ts'

const unseen =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

export function withoutUnseen(text: string): string {
  return text.replace(unseen, (character) => (character === '\n' || character === '\t' ? character : ''))
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
