/** Pairs of query strings and form bodies, https://url.spec.whatwg.org/#application/x-www-form-urlencoded */
import { Problem } from './problems.ts'

/**
 * @param pair `name=value` or `name`, as it was sent
 * @param where it stands, as a sentence begins: `The query string`
 * @throws Problem `validation` for what is no UTF-8, and for NUL, which PostgreSQL cannot hold
 */
export function decodePair(pair: string, where: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  return at < 0
    ? [decode(pair, where), '']
    : [decode(pair.slice(0, at), where), decode(pair.slice(at + 1), where)]
}

function decode(text: string, where: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refused(`${where} is not percent-encoded UTF-8.`)
  }
  if (decoded.includes('\0')) throw refused(`${where} contains a NUL character.`)
  return decoded
}

const refused = (message: string): Problem => new Problem('validation', { message, field: 'encoding' })
