/** One request, and what is known of it so far. */

import type { Client, PrismaClient } from '../../prisma/generated/client/client.ts'
import { isProblem } from '../contract/http/problems.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import { refusalOf, refuse } from '../contract/smart/oauth-errors.ts'
import { scopeCharactersMax } from '../contract/smart/scopes.ts'
import { checkClientAtPractice, findOwnSandbox } from '../domain/clients/client-at-practice.ts'
import type { SmartAddresses } from '../domain/grants/smart-addresses.ts'
import type { SmartPractice } from '../domain/practices/fhir-access.ts'
import { readBody } from '../http/body.ts'
import type { Edge } from '../http/edge.ts'

export type SmartCall = {
  readonly request: Request
  readonly edge: Edge
  /** Of the path. */
  readonly slug: string
  practice: SmartPractice | null
  /** An app that exists, whether or not it has proved to be it: to whom the request is logged. */
  clientId: string | null
  /** What the Fault Lab injected. */
  fault: FaultStep | null
  alive: boolean
  /** Whom a token was given for, for the practice's record. */
  patientId: string | null
}

// Whether the practice lets an app in, with the base that would: a newcomer's app is refused at the demonstration.

type Dependencies = { prisma: PrismaClient; addresses: Pick<SmartAddresses, 'fhirBase'> }

/**
 * For an app that has shown a redirect URI of its own, or has proven who it is: no other caller learns of its sandbox.
 * @throws Problem `client_not_at_practice`
 */
export async function requireAppAtPractice(
  { prisma, addresses }: Dependencies,
  client: Client,
  practice: SmartPractice,
): Promise<void> {
  try {
    await checkClientAtPractice(prisma, client, practice)
  } catch (thrown) {
    const isElsewhere = isProblem(thrown) && refusalOf(thrown) === 'client_not_at_practice'
    const slug = isElsewhere ? await findOwnSandbox(prisma, client) : null
    if (slug === null) throw thrown
    throw refuse('client_not_at_practice', {
      hint: `This app works at this FHIR base: ${addresses.fhirBase(slug)}`,
    })
  }
}

// OAuth parameters of a query or a form: each once, of bounded length, an empty one as good as none.

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
