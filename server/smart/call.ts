/** The state of a request to the authorization server. */

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
  /** The practice's slug, from the path. */
  readonly slug: string
  practice: SmartPractice | null
  /** The app that the log names. It exists, but may not have authenticated. */
  clientId: string | null
  /** The fault that the Fault Lab injected. */
  fault: FaultStep | null
  alive: boolean
  /** The patient of an issued token, for the access record. */
  patientId: string | null
}

// Checks that the practice allows an app. The error names the app's own sandbox, for developers who try another practice.

type Dependencies = { prisma: PrismaClient; addresses: Pick<SmartAddresses, 'fhirBase'> }

/**
 * Only for an app that has sent a registered redirect URI or has authenticated, because the error names its sandbox.
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

// Parses OAuth parameters of a query or form: each once, of limited length. Empty values count as missing.

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
