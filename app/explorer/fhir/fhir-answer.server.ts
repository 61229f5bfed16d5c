/** A FHIR response with what its page shows: its resources, scopes and code. */

import { jsonOf } from '../../../server/contract/http/answer-head.ts'
import { covers } from '../../../server/contract/smart/scope-narrowing.ts'
import { readScopes } from '../../../server/contract/smart/scopes.ts'
import { withColors } from '../../shared/snippets/highlight.server.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import { type HereAnswer, shownMax } from '../calls/caller.server.ts'
import type { FhirRequest } from './fhir-request-parts.ts'
import { readResult } from './fhir-result.ts'
import { type BuilderPerson, neededScopes } from './fhir-token.ts'

interface Sent {
  request: FhirRequest
  person: BuilderPerson
  /** The token's scopes. */
  granted: string
  base: string
}

export function showFhirAnswer({ text, ...answer }: HereAnswer, { request, person, granted, base }: Sent) {
  const body = jsonOf(text)
  const result = readResult(body)
  const isCut = text.length > shownMax
  return {
    ...answer,
    request: { type: request.type, interaction: request.interaction },
    text: isCut ? (body === undefined ? text : JSON.stringify(body, null, 2)).slice(0, shownMax) : text,
    shortened: isCut,
    result: result && { ...result, next: result.next?.startsWith(`${base}/`) ? result.next : null },
    scope: granted,
    ...scopesOf(person, request, granted),
    snippets: withColors(
      snippetsFor({
        method: 'GET',
        url: `${base}/${request.path}`,
        headers: [
          { name: 'Accept', value: request.operation?.accept ?? 'application/fhir+json' },
          { name: 'Authorization', value: 'Bearer $ACCESS_TOKEN' },
        ],
        fhirBase: base,
      }),
    ),
  }
}

/** The scopes that the call needs, and those of them that the token lacks. */
function scopesOf({ kind }: BuilderPerson, request: FhirRequest, granted: string) {
  const held = readScopes(granted)
  const needed = neededScopes(kind, request)
  return { needed, missing: needed.filter((text) => readScopes(text).some((scope) => !covers(held, scope))) }
}
