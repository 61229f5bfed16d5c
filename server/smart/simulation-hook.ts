/** The hook through which the authorization server calls the launch simulator. */
import type { Client } from '../../prisma/generated/client/client.ts'
import type { VerifiedRequest } from '../domain/authorizations/pending-requests.ts'
import type { TokenAnswer } from '../domain/grants/issue-tokens.ts'
import type { SmartPractice } from '../domain/practices/fhir-access.ts'

/** The parameters of a request. */
export type Fields = Readonly<Record<string, string>>
export type Asker = Readonly<{ ip: string; correlationId: string }>

/** The browser of an authorization request. */
export type Browser = Asker & Readonly<{ cookieHeader: string | null }>
/** A redirect with an optional cookie. */
export type Sent = Readonly<{ redirectTo: string; cookie: string | null }>

export type TokenAsked = Readonly<{
  practice: SmartPractice
  client: Client
  form: ReadonlyMap<string, string>
  signal: AbortSignal
}>

export type Simulations = {
  /**
   * Called after all real checks have passed.
   * @returns the redirect with the code or the simulated error; null if nothing is simulated
   * @throws Problem of a simulated refusal, which is returned to the app by redirect; `launch_needed`
   */
  atAuthorize(request: VerifiedRequest, browser: Browser, parameters: Fields): Promise<Sent | null>
  /** Called for a real refusal, which is added to the log of the app's waiting launch. */
  refusedAtAuthorize(
    found: Pick<VerifiedRequest, 'practice'> & { client: Client | null },
    browser: Browser,
    parameters: Fields,
    thrown: unknown,
  ): Promise<void>
  /**
   * Called after the app has authenticated. Handles the request as the simulation requires, or normally without one.
   * @param give handles the request, optionally with another scope than the one that was sent
   */
  atToken(asked: TokenAsked, give: (scope?: string) => Promise<TokenAnswer>): Promise<TokenAnswer>
  /** Called for a token request that was refused before its client was known. */
  refusedAtToken(asked: Pick<TokenAsked, 'practice' | 'form'>, thrown: unknown): Promise<void>
  /** Called when an app reads the SMART configuration. */
  noteDiscovery(asked: { practice: SmartPractice; url: string; ip: string }): Promise<void>
}
