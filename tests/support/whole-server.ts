/** The whole server on a port of its own, with a credential for each interface. */
import { request } from 'node:http'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { createApp } from '../../server/app.ts'
import { listen } from '../../server/start/listen.ts'
import { fhirStack } from './fhir.ts'
import { restStack } from './rest.ts'
import { smartSupport } from './smart.ts'

type Got = { status: number; text: string; headers: Record<string, string | string[] | undefined> }

export type WholeServer = Awaited<ReturnType<typeof openWholeServer>>

export async function openWholeServer() {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const rest = await restStack({ environment: { PUBLIC_ORIGIN: origin, PORT: String(port) } })
  const { services } = rest
  // The pages themselves are the journeys'; what leads to them is the same.
  const portal = {
    handler: async (asked: Request) => {
      await asked.text()
      return new Response(new URL(asked.url).pathname, { status: 404 })
    },
  }
  const server = await listen({
    env: services.env,
    app: createApp(services, portal.handler),
    portal,
  })
  const fhir = await fhirStack({ services })
  const issueBackend = async () =>
    (await fhir.issueToken({ audience: 'backend', scope: 'system/*.rs' })).token
  const tokens: { fhir: string; backend: string; key: string } = {
    fhir: (await fhir.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' })).token,
    backend: await issueBackend(),
    key: (await rest.issueKey({ level: 'full' })).key,
  }
  const support = smartSupport(services)
  const { client } = await support.createClient({
    scope: 'patient/*.rs',
    audience: 'patient',
    redirectUris: ['http://127.0.0.1:4000/callback'],
  })

  /** The path as it stands: no client in between mends it. */
  function get(
    path: string,
    {
      token = null,
      method = 'GET',
      body = '',
      headers = {},
    }: {
      token?: string | null
      method?: string
      body?: string
      headers?: Record<string, string>
    } = {},
  ): Promise<Got> {
    // Else the budgets of the limits end the sweep.
    rest.services.advance(path.includes('/system/') ? 4_000 : 40)
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (piece) => {
            text += piece
          })
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })
  }

  return {
    port,
    origin,
    tokens,
    client,
    env: services.env,
    issueBackend,
    get,
    close: () => server.close(1_000),
  }
}
