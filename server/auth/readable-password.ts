/** Passwords that people read from a page or a terminal and type. */
import { randomInt } from 'node:crypto'

/** No letters that look like another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Four groups of four, about 79 bits. */
export function makeReadablePassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
