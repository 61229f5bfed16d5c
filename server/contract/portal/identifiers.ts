/** Identifiers that a person may paste into the search, and what each of them names. */
import { uuidPattern } from '../http/uuid.ts'
import { keyPattern } from '../keys/key-format.ts'

/** `text` is the prefix of a key, the client ID of an app or the correlation ID of a call. */
export type Identifier = Readonly<{ kind: 'key' | 'app' | 'call'; text: string }>

const prefixAtStart = /^svc_[tl][0-9A-Za-z]{7}/
const clientIdPattern = /^(sbx|app)-[0-9a-f]{24}$/

/** @returns null for a text that is none of them. Of a whole key only the prefix is kept: the rest is secret. */
export function readIdentifier(text: string): Identifier | null {
  const typed = text.trim().slice(0, 100)
  const [prefix] = prefixAtStart.exec(typed) ?? []
  if (prefix !== undefined && (typed === prefix || keyPattern.test(typed)))
    return { kind: 'key', text: prefix }
  if (clientIdPattern.test(typed)) return { kind: 'app', text: typed }
  if (uuidPattern.test(typed)) return { kind: 'call', text: typed.toLowerCase() }
  return null
}
