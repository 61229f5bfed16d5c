/** Folding of names for search. One function, used when rows are written and when a query is read. */
import { normalize } from './normalize.ts'

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
}

/** Longest folded value, in characters: index rows have a size limit. */
export const foldedLengthMax = 120

/**
 * Lower case, without accents of the Latin, Greek and Cyrillic scripts, apostrophes dropped, every
 * other mark and space made one space. Other scripts keep their marks, which there are letters.
 * `fold("  Núñez-O’Brien, Zoë ")` is `"nunez obrien zoe"`. The result may be empty.
 */
export function fold(text: string): string {
  const plain = normalize(normalize(text, 'NFKD').replace(/[\u0300-\u036f]/g, ''), 'NFC')
    .toLowerCase()
    .replace(/[ßæœøðþłđħıŋŧ]/g, (letter) => letters[letter] ?? letter)
    .replace(/['’ʼʻ`´]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
  return shorten(plain)
}

/** Cut between characters, never inside one. */
function shorten(text: string): string {
  if (text.length <= foldedLengthMax) return text
  return Array.from(text).slice(0, foldedLengthMax).join('').trim()
}

/**
 * A record number as a key of its own kind. Numbers of a practice begin alike (`SYN-…`), so that among names
 * they would answer to their first letter: everybody, for the price of everybody.
 */
export const numberKey = (number: string): string => `#${fold(number)}`

/** The least text greater than every text that begins with `prefix`, in code point order. */
export const endOfPrefix = (prefix: string): string => `${prefix}\u{10ffff}`
