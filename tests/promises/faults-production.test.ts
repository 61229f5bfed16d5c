/** Production never accepts a fault: swept over every operation of every interface. */
import { describe, expect, test } from 'vitest'
import { fhirOperations } from '../../server/contract/fhir/operations.ts'
import { fhirTypeNumbers } from '../../server/contract/fhir/registry.ts'
import { faultCodes, faultHeader, injectedHeader } from '../../server/contract/lab/faults.ts'
import { mcpOperations } from '../../server/contract/mcp/operation.ts'
import { type OperationRow, operations } from '../../server/contract/rest/operations.ts'
import { statusOperations } from '../../server/contract/status/operations.ts'
import { restStack } from '../support/rest.ts'
import { smartSupport } from '../support/smart.ts'

const headers = { [faultHeader]: '500' }

const stack = await restStack()
const { prisma } = stack.services
const practice = await prisma.practice.findFirstOrThrow({
  where: { environment: 'production', state: 'active', fhirEnabled: true },
  orderBy: { slug: 'asc' },
})
const productionSlug = practice.slug
const support = smartSupport(stack.services)
const key = (
  await stack.issueKey({
    practice: practice.slug,
    level: 'full',
    environment: 'production',
    mcpWrites: true,
  })
).key
const token = (
  await support.issueToken({ practice: practice.slug, scope: 'user/*.rs', audience: 'clinician' })
).access_token
const systemToken = (await support.issueToken({ practice: practice.slug, scope: 'system/*.rs' })).access_token

type Answer = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  body: any
}

async function ask(
  method: string,
  path: string,
  more: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const request = new Request(`https://portal.example${path}`, {
    method,
    headers: { ...headers, ...more },
    ...(body !== undefined && { body }),
  })
  const answer = await stack.app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : null,
  }
}

describe('the header is refused at production', () => {
  const rows: [string, { path: string; method?: string; body?: unknown; bodyExample?: unknown }][] = [
    ...Object.entries<OperationRow>(operations),
    ...Object.entries<OperationRow>(mcpOperations),
    ...Object.entries(statusOperations).map(([id, { path }]): [string, { path: string }] => [id, { path }]),
  ]

  test.each(rows)('REST: %s', async (_id, row) => {
    const path = `/api/v1${row.path.replace('{id}', 'pt-wren-testwell')}`
    const body = row.body === undefined ? undefined : JSON.stringify(row.bodyExample)
    const type = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }

    const answer = await ask(row.method ?? 'GET', path, type, body)

    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation'])
    expect(answer.body.error.message).toContain(faultHeader)
    expect(answer.headers.get(injectedHeader)).toBeNull()
  })

  const below = [
    ...Object.keys(fhirTypeNumbers).flatMap(
      (type) =>
        [
          ['GET', type],
          ['POST', `${type}/_search`],
          ['GET', `${type}/some-id`],
        ] as const,
    ),
    ...Object.entries(fhirOperations).map(([name]) => ['GET', `Patient/pt-wren-testwell/$${name}`] as const),
    ['GET', 'metadata'],
    ['GET', 'Group/gr-all-patients/$export'],
    ['GET', 'bulk/01234567-89ab-7def-8123-456789abcdef'],
    ['DELETE', 'bulk/01234567-89ab-7def-8123-456789abcdef'],
    ['GET', 'bulk/01234567-89ab-7def-8123-456789abcdef/1.Patient.ndjson'],
    ['GET', '../endpoints'],
  ] as const

  test('FHIR and Bulk Data: every type, operation and step', async () => {
    for (const [at, [method, path]] of below.entries()) {
      const bearer = path.includes('ulk') || path.includes('$export') ? systemToken : token
      // The budget of a token is a second's.
      if (at % 20 === 0) stack.services.advance(2_000)

      const answer = await ask(method, `/r4/${productionSlug}/${path}`.replace(/[^/]+\/\.\.\//, ''), {
        authorization: `Bearer ${bearer}`,
      })

      expect([path, answer.status, answer.body?.resourceType]).toEqual([path, 400, 'OperationOutcome'])
      expect(answer.text).toContain(faultHeader)
      expect(answer.headers.get(injectedHeader)).toBeNull()
    }
  })

  test('the authorization server: documents, authorize, introspection, revocation', async () => {
    const documents = [
      '.well-known/smart-configuration',
      '.well-known/openid-configuration',
      '.well-known/jwks.json',
      'smart-style.json',
    ]
    for (const path of documents) {
      const answer = await ask('GET', `/r4/${productionSlug}/${path}`)

      expect([path, answer.status, answer.body.error]).toEqual([path, 400, 'invalid_request'])
    }
    const authorize = await ask('GET', `/r4/${productionSlug}/authorize?client_id=x`)

    expect([authorize.status, authorize.headers.get('location')]).toEqual([400, null])
    for (const action of ['introspect', 'revoke']) {
      const answer = await ask(
        'POST',
        `/r4/${productionSlug}/${action}`,
        { 'content-type': 'application/x-www-form-urlencoded' },
        'token=x',
      )

      expect([action, answer.status, answer.body.error]).toEqual([action, 400, 'invalid_request'])
    }
  })

  test('the token address, for an app that authenticates', async () => {
    const { client, secret } = await smartSupport(stack.services).createClient({
      scope: 'patient/*.rs',
      environment: 'production',
      authentication: 'client_secret_basic',
    })
    const authorization = `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}`

    for (const grant of ['authorization_code&code=x', 'refresh_token&refresh_token=x']) {
      const answer = await ask(
        'POST',
        `/r4/${productionSlug}/token`,
        { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        `grant_type=${grant}`,
      )

      expect([answer.status, answer.body.error, answer.body.error_description]).toEqual([
        400,
        'invalid_request',
        expect.stringContaining(faultHeader),
      ])
    }
  })

  test('whatever it says, and a dead credential is still a 401', async () => {
    for (const value of [...faultCodes, 'ok', '', 'nonsense']) {
      stack.services.advance(1_000)
      const answer = await ask('GET', '/api/v1/context', {
        authorization: `Bearer ${key}`,
        [faultHeader]: value,
      })

      expect([value, answer.status]).toEqual([value, 400])
    }
    const dead = await stack.issueKey({
      practice: productionSlug,
      environment: 'production',
      revokedAt: new Date(0),
    })

    expect((await ask('GET', '/api/v1/context', { authorization: `Bearer ${dead.key}` })).status).toBe(401)
  })
})
