/** An app on a server of its own, built on a client library for OpenID Connect; its page tells what came of a launch. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oidc from 'openid-client'

type OpenidApp = {
  launchUrl: string
  redirectUri: string
  close: () => Promise<void>
}

type Waiting = { config: oidc.Configuration; verifier: string; state: string; nonce: string; iss: string }

const scope = 'openid fhirUser launch/patient offline_access patient/*.rs'

/** @param clientId is asked for when the app is opened */
export async function startOpenidApp(clientId: () => string): Promise<OpenidApp> {
  let waiting: Waiting | null = null
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const work = url.pathname === '/launch' ? begin(url) : url.pathname === '/callback' ? finish(url) : null
    if (work === null) {
      response.writeHead(204).end()
      return
    }
    work.then(
      (answer) => {
        if (typeof answer === 'string') response.writeHead(302, { location: answer }).end()
        else show(answer)
      },
      (error: Error) => show({ error: error.message }),
    )
    function show(result: object): void {
      const text = JSON.stringify(result).replaceAll('<', '&lt;')
      response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><link rel="icon" href="data:,"><title>OpenID app</title><pre>${text}</pre>`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirectUri = `${origin}/callback`

  /** @returns where the browser authorizes */
  async function begin(url: URL): Promise<string> {
    const iss = url.searchParams.get('iss') ?? ''
    const config = await oidc.discovery(new URL(iss), clientId(), undefined, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    })
    const verifier = oidc.randomPKCECodeVerifier()
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
    waiting = { config, verifier, state, nonce, iss }
    return oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      aud: iss,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href
  }

  async function finish(url: URL): Promise<object> {
    if (waiting === null) throw new Error('nothing was begun')
    const { config, verifier, state, nonce, iss } = waiting
    const tokens = await oidc.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const patient = String(tokens.patient)
    const read = await oidc.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${iss}/Patient/${patient}`),
      'GET',
    )
    const { id } = (await read.json()) as { id: string }
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
    return { patient, read: id, renewed: renewed.access_token !== tokens.access_token }
  }

  return {
    launchUrl: `${origin}/launch`,
    redirectUri,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
