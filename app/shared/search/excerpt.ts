/** Makes a search result's excerpt and marks the hits in it. */
import { stemmer } from 'stemmer'
import { partsOf, wordsOf } from './question.ts'

export interface ExcerptPart {
  readonly text: string
  readonly isHit: boolean
}

const wordsShown = 26

/** @param hits the words or stems that were found, in lower case */
export function markHits(text: string, hits: readonly string[]): readonly ExcerptPart[] {
  const hitSet = new Set(hits)
  const parts: { text: string; isHit: boolean }[] = []
  for (const piece of text.split(/(\s+)/)) {
    const isHit = piece.trim() !== '' && holds(piece, hitSet)
    const last = parts.at(-1)
    // A space between two hits belongs to them.
    if (last && (last.isHit === isHit || piece.trim() === '')) last.text += piece
    else parts.push({ text: piece, isHit })
  }
  return parts.flatMap(({ text, isHit }) => (isHit ? splitSpace(text) : [{ text, isHit }]))
}

/** The part of a text with the most distinct hits. */
export function excerptOf(text: string, hits: readonly string[]): readonly ExcerptPart[] {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const hitSet = new Set(hits)
  const found = words.map((word) => holds(word, hitSet))
  const last = Math.max(0, words.length - wordsShown)
  let start = 0
  let most = -1
  for (let at = 0; at <= last; at++) {
    const different = new Set(words.slice(at, at + wordsShown).filter((_, place) => found[at + place])).size
    if (different > most) [start, most] = [at, different]
  }
  // The excerpt begins a few words before the first hit.
  const first = found.indexOf(true, start)
  const from = first < 0 ? 0 : Math.max(0, Math.min(last, first - 4))
  const shown = words.slice(from, from + wordsShown).join(' ')
  return markHits(`${from > 0 ? '… ' : ''}${shown}${from + wordsShown < words.length ? ' …' : ''}`, hits)
}

function holds(piece: string, wanted: ReadonlySet<string>): boolean {
  return wordsOf(piece).some((word) =>
    [word, ...partsOf(word)].some((part) => wanted.has(part) || wanted.has(stemmer(part))),
  )
}

function splitSpace(text: string): readonly ExcerptPart[] {
  const trimmed = text.trimEnd()
  return [
    { text: trimmed, isHit: true },
    ...(trimmed === text ? [] : [{ text: text.slice(trimmed.length), isHit: false }]),
  ]
}
