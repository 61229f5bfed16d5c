/** What the form of an operation holds before anybody types. */
import { askedBody } from '../../../server/contract/lab/explorer-links.ts'
import type { Filled, OperationPage } from '../../shared/operations/operation.ts'

const valueMax = 2_000
const bodyMax = 4_000

/** Values from the URL, and values with which a first call succeeds: an existing person, an accepted body. */
export function fill(operation: OperationPage, query: URLSearchParams, personId: string): Filled {
  const filled: Record<string, string> = {
    body: readableJson(query.get(askedBody)) ?? operation.bodyExample ?? '',
  }
  for (const { input, place, placeholder } of operation.fields) {
    const first = place === 'path' ? (operation.path.startsWith('/patients/') ? personId : placeholder) : ''
    filled[input] = (query.get(input) ?? first ?? '').slice(0, valueMax)
  }
  return filled
}

/** In lines, as people write it; what is no JSON is left for the form to refuse. */
function readableJson(body: string | null): string | null {
  const text = body?.slice(0, bodyMax) ?? null
  if (text === null) return null
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
