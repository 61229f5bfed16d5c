/** OAuth parameters of a query or a form: each once, of bounded length, an empty one as good as none. */

import { isProblem } from '../contract/http/problems.ts'
import { refuse } from '../contract/smart/oauth-errors.ts'
import { scopeCharactersMax } from '../contract/smart/scopes.ts'
import { readBody } from '../http/body.ts'

export type Parameters = ReadonlyMap<string, string>

const bytesMax = 32_768
const countMax = 64
const valueMax = scopeCharactersMax

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws Problem `duplicate_parameter`, `parameter_too_long`, `malformed_form` */
export function parseParameters(text: string): Parameters {
  if (text.length > bytesMax) throw refuse('parameter_too_long')
  const found = new Map<string, string>()
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) throw refuse('duplicate_parameter')
    seen.add(name)
    if (seen.size > countMax || value.length > valueMax) throw refuse('parameter_too_long')
    if (value.includes('\0') || name.includes('\0')) throw refuse('malformed_form')
    // https://www.rfc-editor.org/rfc/rfc6749#section-3.1
    if (value !== '') found.set(name, value)
  }
  return found
}

/** @throws Problem as {@link parseParameters} */
export async function readForm(request: Request): Promise<Parameters> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded *(;.*)?$/i.test(type)) throw refuse('malformed_form')
  try {
    return parseParameters(utf8.decode(await readBody(request, bytesMax)))
  } catch (error) {
    if (isProblem(error) && error.kind === 'payload_too_large') throw refuse('parameter_too_long')
    if (error instanceof TypeError) throw refuse('malformed_form')
    throw error
  }
}
