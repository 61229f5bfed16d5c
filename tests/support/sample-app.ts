/**
 * A SMART app of two pages on an origin of its own, built on the library that most browser apps use: `launch.html`
 * sends its visitor to authorize, `index.html` exchanges the code and shows what came back.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

export type SampleApp = {
  origin: string
  redirectUri: string
  /** Its address when it is opened by itself, at the practice of this FHIR base. */
  standalone: (app: { clientId: string; scope: string; iss: string }) => string
  close: () => Promise<void>
}

const library = createRequire(import.meta.url).resolve('fhirclient/build/fhir-client.js')

/** Names its icon, so that no browser asks the server for one. */
const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">'

const launchPage = `${head}<title>Opening</title><script src="/fhir-client.js"></script><script>
  const query = new URLSearchParams(location.search)
  const launch = query.get('launch')
  FHIR.oauth2.authorize({
    clientId: query.get('client'),
    scope: query.get('scope'),
    redirectUri: '/index.html',
    iss: query.get('iss'),
    ...(launch ? { launch } : {}),
    pkceMode: 'required',
  })
</script>`

const appPage = `${head}<title>Sample app</title><h1>Sample app</h1><pre id="result">waiting</pre>
<script src="/fhir-client.js"></script><script>
  const show = (value) => { document.getElementById('result').textContent = JSON.stringify(value) }

  FHIR.oauth2.ready().then(
    (client) => show({
      token: client.state.tokenResponse,
      patient: client.patient.id,
      encounter: client.encounter.id,
      user: client.user.fhirUser,
    }),
    (error) => show({ error: error.message }),
  )
</script>`

export async function startSampleApp(): Promise<SampleApp> {
  const script = await readFile(library)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/fhir-client.js') {
      response.setHeader('content-type', 'text/javascript').end(script)
      return
    }
    const page = pathname === '/launch.html' ? launchPage : pathname === '/index.html' ? appPage : null
    if (page === null) response.writeHead(404).end()
    else response.setHeader('content-type', 'text/html').end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    redirectUri: `${origin}/index.html`,
    standalone: ({ clientId, ...rest }) =>
      `${origin}/launch.html?${new URLSearchParams({ client: clientId, ...rest })}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
