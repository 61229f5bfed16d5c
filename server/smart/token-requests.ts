/**
 * The token, introspection and revocation endpoints. Each checks the practice, the form and then the client. A token
 * request must also come from an app that the practice allows before its grant is checked.
 */

import type { Client, PrismaClient } from '../../prisma/generated/client/client.ts'
import { isProblem } from '../contract/http/problems.ts'
import { refusalOf, refuse } from '../contract/smart/oauth-errors.ts'
import { faultRefusals } from '../contract/smart/oauth-simulated.ts'
import { checkClientAtPractice, checkNotStopped } from '../domain/clients/client-at-practice.ts'
import type * as clientAuthenticationVerbs from '../domain/clients/client-authentication.ts'
import type { ClientCredentials } from '../domain/clients/client-authentication.ts'
import type { WithCore } from '../domain/core.ts'
import type { TokenAnswer } from '../domain/grants/issue-tokens.ts'
import type { SmartAddresses } from '../domain/grants/smart-addresses.ts'
import type * as tokensVerbs from '../domain/grants/tokens.ts'
import { checkFhirAccess, getSmartPractice, type SmartPractice } from '../domain/practices/fhir-access.ts'
import type { Faults } from '../http/faults.ts'
import type { Limiter } from '../limits/windows.ts'
import { json } from './answers.ts'
import { type Parameters, readForm, requireAppAtPractice, type SmartCall } from './call.ts'
import type { Simulations } from './simulation-hook.ts'

type Dependencies = {
  prisma: PrismaClient
  addresses: SmartAddresses
  limiter: Limiter
  clientAuthentication: WithCore<typeof clientAuthenticationVerbs>
  tokens: WithCore<typeof tokensVerbs>
  faults: Faults
  simulations: Pick<Simulations, 'atToken' | 'refusedAtToken'>
}

type ClientRequest = { call: SmartCall; practice: SmartPractice; client: Client; form: Parameters }

export function createTokenRequests({
  prisma,
  addresses,
  limiter,
  clientAuthentication,
  tokens,
  faults,
  simulations,
}: Dependencies) {
  /** https://www.rfc-editor.org/rfc/rfc6749#section-3.2 */
  async function token(call: SmartCall): Promise<Response> {
    const request = await begin(call, (form) => {
      const grantType = form.get('grant_type')
      if (grantType === undefined) throw refuse('grant_type_missing')
      if (!Object.hasOwn(grantTypes, grantType)) throw refuse('grant_type')
    })
    const { client, practice, form } = request
    await injectFault(call, request)
    checkFhirAccess(practice, client.audience)
    // A public app is not authenticated, so it gets no hint about where the app's sandbox is.
    if (client.authentication === 'none') await checkClientAtPractice(prisma, client, practice)
    else await requireAppAtPractice({ prisma, addresses }, client, practice)
    await checkNotStopped(prisma, client, practice)
    const { isForBackends, answer } = grantTypes[form.get('grant_type') as keyof typeof grantTypes]
    if ((client.audience === 'backend') !== isForBackends) throw refuse('grant_type_of_client')
    const response = await simulations.atToken(
      { practice, client, form, signal: call.request.signal },
      (scope) =>
        answer(scope === undefined ? request : { ...request, form: new Map([...form, ['scope', scope]]) }),
    )
    call.patientId = response.patient ?? null
    return json(response)
  }

  /** Turns an injected fault into an OAuth error response. */
  async function injectFault(call: SmartCall, { practice, client }: ClientRequest): Promise<void> {
    try {
      await faults.inject(call, {
        environment: practice.environment,
        subject: { clientId: client.id },
        api: 'token',
        occasion: 'call',
        confirm: async () => {},
      })
    } catch (thrown) {
      if (!isProblem(thrown)) throw thrown
      const { kind, retryAfterSeconds } = thrown
      if (!Object.hasOwn(faultRefusals, kind)) throw refuse('fault_header')
      const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
      throw refuse(faultRefusals[kind as keyof typeof faultRefusals], retry)
    }
  }

  const grantTypes = {
    authorization_code: { isForBackends: false, answer: exchange },
    refresh_token: { isForBackends: false, answer: refresh },
    client_credentials: { isForBackends: true, answer: systemToken },
  }

  function exchange({ call, practice, client, form }: ClientRequest): Promise<TokenAnswer> {
    const code = form.get('code')
    if (code === undefined) throw refuse('code_missing')
    return tokens.exchangeCode({
      practice,
      client,
      code,
      redirectUri: form.get('redirect_uri') ?? null,
      codeVerifier: form.get('code_verifier') ?? null,
      ip: call.edge.ip,
      correlationId: call.edge.correlationId,
    })
  }

  function refresh({ call, practice, client, form }: ClientRequest): Promise<TokenAnswer> {
    const refreshToken = form.get('refresh_token')
    if (refreshToken === undefined) throw refuse('refresh_missing')
    return tokens.refreshGrant({
      practice,
      client,
      refreshToken,
      scope: form.get('scope') ?? null,
      ip: call.edge.ip,
      correlationId: call.edge.correlationId,
    })
  }

  function systemToken({ practice, client, form }: ClientRequest): Promise<TokenAnswer> {
    return tokens.issueSystemToken({ practice, client, scope: form.get('scope') ?? null })
  }

  /** https://www.rfc-editor.org/rfc/rfc7662#section-2 */
  async function introspect(call: SmartCall): Promise<Response> {
    const { practice, client, form } = await begin(call, checkToken)
    if (client.authentication === 'none') throw refuse('public_client_introspects')
    return json(await tokens.introspect({ practice, client, token: form.get('token') ?? '' }))
  }

  /** https://www.rfc-editor.org/rfc/rfc7009#section-2 — an unknown token is no error. */
  async function revoke(call: SmartCall): Promise<Response> {
    const { practice, client, form } = await begin(call, checkToken)
    const { ip, correlationId } = call.edge
    await tokens.revoke({ practice, client, token: form.get('token') ?? '', ip, correlationId })
    return json({})
  }

  /** @throws Problem for an unknown practice, a bad form, a client that fails authentication, or too many failures */
  async function begin(call: SmartCall, checkForm: (form: Parameters) => void): Promise<ClientRequest> {
    const failures = { window: 'smartFailedClient', subject: call.edge.ipSubject } as const
    call.practice = await getSmartPractice(prisma, call.slug)
    const form = await readForm(call.request)
    checkForm(form)
    try {
      const client = await authenticate(call, call.practice, form)
      return { call, practice: call.practice, client, form }
    } catch (thrown) {
      if (!isProblem(thrown) || thrown.kind !== 'unauthorized') throw thrown
      // A replay proves that the caller has the key, so it does not count as a guess.
      const decision = refusalOf(thrown) === 'assertion_replayed' || (await limiter.take([failures]))
      if (decision === true || decision.admitted) {
        await simulations.refusedAtToken({ practice: call.practice, form }, thrown)
        throw thrown
      }
      throw refuse('too_many_failures', { retryAfterSeconds: decision.retryAfterSeconds })
    }
  }

  /** A refresh token identifies a public app, which may omit client_id. Other apps still have to authenticate. */
  async function withRefreshClient(call: SmartCall, form: Parameters): Promise<Parameters> {
    const named = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'].some((each) =>
      form.has(each),
    )
    const refreshToken = form.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : undefined
    if (named || refreshToken === undefined || call.request.headers.has('authorization')) return form
    const clientId = await tokens.findRefreshClient(refreshToken)
    return clientId === null ? form : new Map([...form, ['client_id', clientId]])
  }

  async function authenticate(call: SmartCall, practice: SmartPractice, body: Parameters): Promise<Client> {
    const form = await withRefreshClient(call, body)
    const credentials: ClientCredentials = parseCredentials(call.request.headers.get('authorization'), form)
    const named = await clientAuthentication.findNamed(practice, credentials)
    call.clientId = named?.id ?? null
    return clientAuthentication.authenticate(practice, named, credentials, call.edge.correlationId)
  }

  return { token, introspect, revoke }
}

function checkToken(form: Parameters): void {
  if (!form.has('token')) throw refuse('token_missing')
}

// Client authentication: HTTP Basic, a client assertion, or client_id alone for a public app.

/** https://www.rfc-editor.org/rfc/rfc7523#section-2.2 */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** @throws Problem `client_missing`, `client_ambiguous`, `secret_in_body`, `malformed_basic`, `wrong_assertion_type` */
function parseCredentials(authorization: string | null, form: Parameters): ClientCredentials {
  const clientId = form.get('client_id') ?? null
  const assertion = form.get('client_assertion') ?? null
  const hasAssertion = assertion !== null || form.has('client_assertion_type')
  const hasHeader = authorization !== null && authorization.trim() !== ''
  if (hasHeader && hasAssertion) throw refuse('client_ambiguous')
  if (form.has('client_secret'))
    throw refuse(hasHeader || hasAssertion ? 'client_ambiguous' : 'secret_in_body')
  if (hasHeader) return parseBasic(authorization, clientId)
  if (hasAssertion) {
    if (form.get('client_assertion_type') !== assertionType || assertion === null)
      throw refuse('wrong_assertion_type')
    return { kind: 'assertion', assertion, clientId }
  }
  if (clientId === null) throw refuse('client_missing')
  return { kind: 'none', clientId }
}

/** Both parts are form-encoded: https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
function parseBasic(authorization: string, clientId: string | null): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]{1,2000})$/i.exec(authorization.trim()) ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const separator = text.indexOf(':')
  if (separator < 1) throw refuse('malformed_basic')
  const named = decodePart(text.slice(0, separator))
  if (clientId !== null && clientId !== named) throw refuse('client_ambiguous')
  return { kind: 'secret', clientId: named, secret: decodePart(text.slice(separator + 1)) }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refuse('malformed_basic')
  }
}
