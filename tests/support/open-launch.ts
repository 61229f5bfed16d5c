/** Browsers that launch without an account at the demonstration practice, and the apps that they open. */
import { type OpenLaunch, openLaunchForm } from '../../server/contract/lab/open-launch.ts'
import { challenge, demonstration, verifier } from './smart.ts'
import type { SmartStack } from './smart-http.ts'

export const callback = 'http://localhost:4100/callback'
export const openScope = 'openid fhirUser launch launch/patient launch/encounter offline_access patient/*.rs'

let networks = 0

export const linkOf = (change: Record<string, string> = {}): OpenLaunch =>
  openLaunchForm.parse({
    kind: 'standalone-patient',
    url: 'http://localhost:4100/launch?theme=dark',
    redirect: callback,
    patient: 'pt-wren-testwell',
    clinician: 'pr-ines-placeholder',
    scope: openScope,
    ...change,
  })

/** A browser on a network of its own. */
export function createOpenBrowser(stack: SmartStack) {
  networks += 1
  const ip = `203.0.113.${networks}`
  let cookieHeader: string | null = null

  async function launch(change: Record<string, string> = {}) {
    const link = linkOf(change)
    const started = await stack.services.openLaunches.start(link, { ip, cookieHeader })
    cookieHeader = started.cookie.split(';')[0] ?? ''
    const opened = new URL(started.url)
    const { clientId } = await stack.services.openLaunches.show(link)
    return { ...started, opened, clientId, value: opened.searchParams.get('launch') }
  }

  function authorize(clientId: string, change: Record<string, string> = {}, practice = demonstration) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callback,
      scope: openScope.replace('launch ', ''),
      state: 'a-state-of-the-app',
      aud: stack.services.addresses.fhirBase(practice),
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...change,
    })
    return stack.send(`${stack.services.addresses.authorize(practice)}?${query}`, {
      ip,
      ...(cookieHeader !== null && { headers: { cookie: cookieHeader } }),
    })
  }

  /** As the consent page does it. @returns where the browser goes */
  async function consent(answer: Awaited<ReturnType<typeof authorize>>, patientId = 'pt-wren-testwell') {
    const handle = stack.handleOf(answer)
    const { openLaunches, launchedConsent, authorizations } = stack.services
    const context = { ip, userAgent: 'test', correlationId: 'c' }
    const standIn = await openLaunches.findStandIn(handle, context)
    if (standIn === null) throw new Error('nobody decides')
    const { scopes } = await authorizations.get(handle)
    const decision = { patientId, scopes, offlineAccess: true }
    return new URL((await launchedConsent.approve(handle, standIn.actor, decision)).redirectTo)
  }

  const exchange = (clientId: string, code: string | null, change: Record<string, string> = {}) =>
    stack.post(
      'token',
      {
        grant_type: 'authorization_code',
        code: code ?? '',
        redirect_uri: callback,
        code_verifier: verifier,
        client_id: clientId,
        ...change,
      },
      { ip },
    )

  const refresh = (clientId: string, token: string) =>
    stack.post('token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId }, { ip })

  /** A launch to its end. */
  async function complete(change: Record<string, string> = {}) {
    const launched = await launch(change)
    const asked = { scope: openScope, ...(launched.value !== null && { launch: launched.value }) }
    const back = await consent(await authorize(launched.clientId, asked))
    const { status, body } = await exchange(launched.clientId, back.searchParams.get('code'))
    return { ...launched, back, status, token: body }
  }

  const read = (path: string, token: string, practice = demonstration) =>
    stack.send(stack.at(path, practice), { ip, headers: { authorization: `Bearer ${token}` } })

  const log = (id: string) => stack.services.openLaunches.getLog(id, cookieHeader)
  const key = () => cookieHeader

  return { ip, launch, authorize, consent, exchange, refresh, complete, read, log, key }
}

export type OpenBrowser = ReturnType<typeof createOpenBrowser>
