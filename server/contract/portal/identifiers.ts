/** Identifiers that a person may paste into the search, and what each of them names. */
import { uuidPattern } from '../http/uuid.ts'
import { keyPattern } from '../keys/key-format.ts'

export type Identifier =
  | { readonly kind: 'key'; readonly prefix: string }
  | { readonly kind: 'app'; readonly clientId: string }
  | { readonly kind: 'call'; readonly correlationId: string }

const prefixAtStart = /^svc_[tl][0-9A-Za-z]{7}/
const clientIdPattern = /^(sbx|app)-[0-9a-f]{24}$/

/** @returns null for a text that is none of them. Of a whole key only the prefix is kept: the rest is secret. */
export function readIdentifier(text: string): Identifier | null {
  const typed = text.trim().slice(0, 100)
  const [prefix] = prefixAtStart.exec(typed) ?? []
  if (prefix !== undefined && (typed === prefix || keyPattern.test(typed))) return { kind: 'key', prefix }
  if (clientIdPattern.test(typed)) return { kind: 'app', clientId: typed }
  if (uuidPattern.test(typed)) return { kind: 'call', correlationId: typed.toLowerCase() }
  return null
}

/** As the address of the page that finds it has it. */
export function identifierText(identifier: Identifier): string {
  switch (identifier.kind) {
    case 'key':
      return identifier.prefix
    case 'app':
      return identifier.clientId
    case 'call':
      return identifier.correlationId
  }
}
