/** A fresh organization's own apps, one of each kind, on a server that programs can call, and the steps of each. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportPKCS8 } from 'jose'
import { afterAll, beforeAll, expect } from 'vitest'
import { smartSnippets } from '../../app/shared/snippets/smart/smart-snippets.server.ts'
import type { SmartLanguage } from '../../app/shared/snippets/smart/writer.ts'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { createApp } from '../../server/app.ts'
import { signInAddress } from '../../server/contract/lab/sandbox-sign-ins.ts'
import {
  type SmartStep,
  type SnippetApp,
  type SnippetRequest,
  stepsOf,
} from '../../server/contract/lab/smart-snippets.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { listen } from '../../server/start/listen.ts'
import { makeAssertionKey } from './assertion.ts'
import { testServices } from './services.ts'
import { redirectUri, smartSupport } from './smart.ts'
import { authorizeLines, jsonIn } from './smart-snippets.ts'

export const snippetKinds = ['public', 'secret', 'key', 'backend'] as const
export type SnippetKind = (typeof snippetKinds)[number]

const authentications = {
  public: 'none',
  secret: 'client_secret_basic',
  key: 'private_key_jwt',
  backend: 'private_key_jwt',
} as const

type Received = Readonly<{ method: string; url: string; headers: Headers; body: string }>

/** Hooks of the file that calls it; what they make is in the answer once the tests run. */
export function snippetApps() {
  const made = {} as Made
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-snippets-'))
  /** Every request that reached the server, by its path; of one program, as each has an app of its own. */
  const received: Received[] = []
  let server: Awaited<ReturnType<typeof listen>>

  beforeAll(async () => {
    const port = await findFreePort()
    const services = await testServices({
      environment: { PUBLIC_ORIGIN: `http://127.0.0.1:${port}`, PORT: String(port) },
    })
    // The programs read the machine's clock.
    services.advance(Date.now() - services.clock().getTime())
    const app = createApp(services)
    const recorded = {
      fetch: async (request: Request, ...rest: [unknown?]) => {
        const { method, url, headers } = request
        received.push({ method, url, headers, body: await request.clone().text() })
        return app.fetch(request, ...(rest as []))
      },
    }
    const portal = { handler: async () => new Response() }
    server = await listen({ env: services.env, app: recorded as typeof app, portal })
    const support = smartSupport(services)
    const { developer, organizationId } = await support.createOrganization()
    const { slug } = await services.sandboxes.ensure(organizationId, { writable: false })
    await services.sandbox.signIns.list({ organizationId, accountId: developer.accountId })
    const { id } = await services.prisma.account.findFirstOrThrow({
      where: { email: signInAddress('wren.testwell', slug) },
    })
    Object.assign(made, { services, support, organizationId, developer, slug, wren: support.actorOf(id) })
  })

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await server.close(1_000)
  })

  /** A new app of a kind: its facts, and what its programs read from their environment. */
  async function makeApp(kind: SnippetKind) {
    const { services, support, organizationId, developer, slug } = made
    const isBackend = kind === 'backend'
    const key = await makeAssertionKey('ES384')
    const { client, secret } = await support.createClient({
      organizationId,
      everyPractice: false,
      audience: isBackend ? 'backend' : 'patient',
      authentication: authentications[kind],
      scope: isBackend ? 'system/*.rs' : 'openid fhirUser launch/patient offline_access patient/*.rs',
      jwks: authentications[kind] === 'private_key_jwt' ? { keys: [{ ...key.publicJwk }] } : null,
    })
    if (isBackend) await services.ownSandboxSystems.allow(client.clientId, developer)
    const file = join(folder, `${randomUUID()}.pem`)
    writeFileSync(file, await exportPKCS8(key.privateKey))
    const { fhirBase, authorize, token, introspect, revoke } = services.addresses
    const app: SnippetApp = {
      clientId: client.clientId,
      audience: client.audience,
      authentication: client.authentication,
      redirectUri: isBackend ? null : redirectUri,
      scope: client.scope,
      addresses: {
        fhirBase: fhirBase(slug),
        authorize: authorize(slug),
        token: token(slug),
        introspect: introspect(slug),
        revoke: revoke(slug),
      },
    }
    const variables: Record<string, string> = {
      PRIVATE_KEY_FILE: file,
      KEY_ID: key.kid,
      ...(secret && { CLIENT_SECRET: secret }),
    }
    const codeOf = (step: SmartStep, language: SmartLanguage) =>
      smartSnippets(app)
        .find((each) => each.step === step)
        ?.snippets.find((each) => each.language === language)?.code ?? ''
    return { app, variables, codeOf }
  }

  const agree = (url: URL) => made.support.walk(url, made.wren)

  /** What a program sent, in the words of `partsOf`: values of its environment by their names. */
  function sentSince(before: number, work: SnippetRequest, variables: Variables): string[] {
    const named = (text: string) =>
      Object.entries(variables).reduce((words, [name, value]) => words.replaceAll(value, `$${name}`), text)
    return received
      .slice(before)
      .flatMap(({ method, url, headers, body }) => {
        const authorization = headers.get('authorization')
        const [, basic] = /^Basic (.*)$/.exec(authorization ?? '') ?? []
        const shown = basic ? `Basic ${Buffer.from(basic, 'base64').toString()}` : authorization
        return [
          `${method} ${url}`,
          ...(work.accept ? [`Accept: ${headers.get('accept')}`] : []),
          ...(shown === null ? [] : [`Authorization: ${named(shown)}`]),
          ...[...new URLSearchParams(body)].map(([name, value]) => `${name}=${named(value)}`),
        ]
      })
      .sort()
  }

  return Object.assign(made, { received, makeApp, agree, sentSince })
}

type Lab = ReturnType<typeof snippetApps>

/**
 * Takes an app through its steps in their order; every token request has a new assertion.
 * @param run runs the code of a step with the variables, and returns what it printed
 */
export async function walkSteps(
  lab: Lab,
  { app, variables }: Pick<Awaited<ReturnType<Lab['makeApp']>>, 'app' | 'variables'>,
  run: (step: SmartStep) => Promise<string>,
) {
  const steps = stepsOf(app)
  const call = async (step: SmartStep) => {
    if (steps.includes('assertion')) variables.CLIENT_ASSERTION = (await run('assertion')).trim()
    return jsonIn(await run(step))
  }
  if (steps.includes('credentials')) variables.ACCESS_TOKEN = (await call('credentials')).access_token
  else {
    const { url, verifier, state } = authorizeLines(await run('authorize'))
    const back = await lab.agree(url)
    expect(back.searchParams.get('state')).toBe(state)
    Object.assign(variables, { CODE: back.searchParams.get('code'), CODE_VERIFIER: verifier })
    variables.REFRESH_TOKEN = (await call('exchange')).refresh_token
    variables.ACCESS_TOKEN = (await call('refresh')).access_token
  }
  const record = jsonIn(await run('read'))
  if (steps.includes('introspect'))
    expect(await call('introspect')).toMatchObject({ active: true, client_id: app.clientId })
  expect(await call('revoke')).toEqual({})
  return { record }
}

type Variables = Readonly<Record<string, string>>

type Made = {
  services: Awaited<ReturnType<typeof testServices>>
  support: ReturnType<typeof smartSupport>
  organizationId: string
  developer: Actor
  slug: string
  wren: Actor
}
