/**
 * The authorization endpoint, GET and form POST: checks the request, stores it, and redirects to the page where a person
 * signs in and decides. Errors are shown on a page: before a person has signed in, nothing redirects to an app.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#obtain-authorization-code
 */

import type { Client, PrismaClient } from '../../prisma/generated/client/client.ts'
import { type Problem, toProblem } from '../contract/http/problems.ts'
import { oauthRefusals, refusalOf } from '../contract/smart/oauth-errors.ts'
import { simulatedRefusals } from '../contract/smart/oauth-simulated.ts'
import type * as pendingRequestsVerbs from '../domain/authorizations/pending-requests.ts'
import { redirectWith } from '../domain/authorizations/redirect.ts'
import { checkNotStopped, findClientAt } from '../domain/clients/client-at-practice.ts'
import type { WithCore } from '../domain/core.ts'
import type { SmartAddresses } from '../domain/grants/smart-addresses.ts'
import { getSmartPractice, type SmartPractice } from '../domain/practices/fhir-access.ts'
import { errorPage, seeOther } from './answers.ts'
import { type Parameters, parseParameters, readForm, requireAppAtPractice, type SmartCall } from './call.ts'
import type { AuthorizeCase } from './checks/authorize-check.ts'
import { authorizeChecks } from './checks/authorize-checks.ts'
import type { Browser, Simulations } from './simulation-hook.ts'

type Dependencies = {
  prisma: PrismaClient
  addresses: SmartAddresses
  pendingAuthorizations: Pick<WithCore<typeof pendingRequestsVerbs>, 'open'>
  simulations: Pick<Simulations, 'atAuthorize' | 'refusedAtAuthorize'>
}

type AuthorizeOutcome = { response: Response; problem: Problem | null }

export function createAuthorize({ prisma, addresses, pendingAuthorizations, simulations }: Dependencies) {
  const checkDependencies = {
    findClient: (practice: SmartPractice, clientId: string) => findClientAt(prisma, practice, clientId),
    checkClientAtPractice: async (client: Client, practice: SmartPractice) => {
      await requireAppAtPractice({ prisma, addresses }, client, practice)
      await checkNotStopped(prisma, client, practice)
    },
  }

  return async function authorize(call: SmartCall): Promise<AuthorizeOutcome> {
    let found: AuthorizeCase | null = null
    try {
      call.practice = await getSmartPractice(prisma, call.slug)
      found = {
        parameters: await parametersOf(call.request),
        practice: call.practice,
        fhirBase: addresses.fhirBase(call.practice.slug),
        client: null,
        redirectUri: null,
        mayLinkBack: false,
        scopes: [],
      }
      for (const check of authorizeChecks) {
        await check(found, checkDependencies)
        call.clientId = found.client?.id ?? null
      }
      return { response: await open(found, call), problem: null }
    } catch (thrown) {
      const problem = toProblem(thrown)
      call.clientId ??= found?.client?.id ?? null
      if (found !== null && !isSimulated(problem)) {
        const { practice, client, parameters } = found
        const fields = Object.fromEntries(parameters)
        await simulations.refusedAtAuthorize({ practice, client }, browserOf(call), fields, problem)
      }
      const back = found?.mayLinkBack ? linkBack(found, problem) : null
      // A developer set up the simulation and opened the app, so the simulation replaces the sign-in.
      const response =
        back !== null && isSimulated(problem)
          ? seeOther(back)
          : await errorPage(problem, call.edge.correlationId, back)
      return { response, problem }
    }
  }

  async function open(found: AuthorizeCase, call: SmartCall): Promise<Response> {
    const { client, redirectUri, parameters, practice, scopes } = found
    if (client === null || redirectUri === null) throw new Error('a check that sets it is missing')
    const request = {
      practice,
      client,
      redirectUri,
      scopes,
      state: parameters.get('state') ?? '',
      nonce: parameters.get('nonce') ?? null,
      codeChallenge: parameters.get('code_challenge') ?? '',
      launch: parameters.get('launch') ?? null,
    }
    const browser = browserOf(call)
    const simulated = await simulations.atAuthorize(request, browser, Object.fromEntries(parameters))
    if (simulated !== null)
      return seeOther(
        simulated.redirectTo,
        simulated.cookie === null ? {} : { 'Set-Cookie': simulated.cookie },
      )
    const { id, cookie } = await pendingAuthorizations.open(request, browser.cookieHeader)
    return seeOther(addresses.decide(id), { 'Set-Cookie': cookie })
  }

  /**
   * The redirect URI with the error, as a link for the person.
   * https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1
   */
  function linkBack({ redirectUri, parameters, fhirBase }: AuthorizeCase, problem: Problem): string | null {
    if (redirectUri === null) return null
    const { error, description } = oauthRefusals[refusalOf(problem)]
    const state = parameters.get('state')
    return redirectWith(redirectUri, {
      error,
      error_description: description,
      ...(state !== undefined && { state }),
      iss: fhirBase,
    })
  }
}

function browserOf({ edge: { ip, correlationId }, request }: SmartCall): Browser {
  return { ip, correlationId, cookieHeader: request.headers.get('cookie') }
}

const isSimulated = (problem: Problem): boolean => Object.hasOwn(simulatedRefusals, refusalOf(problem))

const parametersOf = (request: Request): Promise<Parameters> | Parameters =>
  request.method === 'POST' ? readForm(request) : parseParameters(new URL(request.url).search)
