/** Where the authorization server lets the launch simulator in. */
import type { Client } from '../../prisma/generated/client/client.ts'
import type { VerifiedRequest } from '../domain/authorizations/pending-requests.ts'
import type { TokenAnswer } from '../domain/grants/issue-tokens.ts'
import type { SmartPractice } from '../domain/practices/fhir-access.ts'

/** Parameters as they were sent. */
export type Fields = Readonly<Record<string, string>>
/** Who asks, and from where. */
export type Asker = Readonly<{ ip: string; correlationId: string }>

/** The browser that brings an authorize request. */
export type Browser = Asker & Readonly<{ cookieHeader: string | null }>
/** Where it goes, and a cookie for it. */
export type Sent = Readonly<{ redirectTo: string; cookie: string | null }>

export type TokenAsked = Readonly<{
  practice: SmartPractice
  client: Client
  form: ReadonlyMap<string, string>
  signal: AbortSignal
}>

export type Simulations = {
  /**
   * Once every real check has passed.
   * @returns where the browser goes, with the code or what goes wrong; null when nothing is simulated
   * @throws Problem of a simulated refusal, which goes back to the app by redirect; `launch_needed`
   */
  atAuthorize(request: VerifiedRequest, browser: Browser, parameters: Fields): Promise<Sent | null>
  /** Real refusals of the request of an app that has a launch waiting: its developer wants to see them there, too. */
  refusedAtAuthorize(
    found: Pick<VerifiedRequest, 'practice'> & { client: Client | null },
    browser: Browser,
    parameters: Fields,
    thrown: unknown,
  ): Promise<void>
  /**
   * Once the app has authenticated. Runs its request as the simulation wants it; as it is when there is none.
   * @param give answers the request; takes the scope to ask for in place of the one that was sent
   */
  atToken(asked: TokenAsked, give: (scope?: string) => Promise<TokenAnswer>): Promise<TokenAnswer>
  /** A token request that was refused before it was known whose it is. */
  refusedAtToken(asked: Pick<TokenAsked, 'practice' | 'form'>, thrown: unknown): Promise<void>
  /** An app looked up the addresses. */
  noteDiscovery(asked: { practice: SmartPractice; url: string; ip: string }): Promise<void>
}
