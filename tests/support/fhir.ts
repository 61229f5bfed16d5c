/** The FHIR door of a whole server on a database of its own, and access tokens to knock with. */
import { randomBytes, randomUUID } from 'node:crypto'
import { createApp } from '../../server/app.ts'
import { hashOpaque, makeOpaque } from '../../server/auth/opaque-value.ts'
import { type TestServicesOptions, testServices } from './services.ts'

export type FhirAnswer = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  body: any
}

export type FhirCallOptions = {
  token?: string | null
  /** In place of `Bearer <token>`. */
  authorization?: string
  method?: string
  headers?: Record<string, string>
  body?: BodyInit
  /** Of the practice in the path. */
  practice?: string
  ip?: string
}

export type TokenOptions = {
  practice?: string
  audience?: 'patient' | 'clinician' | 'backend'
  /** In the words of the grammar, joined by spaces. */
  scope?: string
  patientId?: string | null
  fhirUser?: string | null
  expiresAt?: Date
  /** Of a client made before. */
  clientId?: string
}

export type IssuedToken = {
  token: string
  tokenId: string
  grantId: string
  clientId: string
  practiceId: string
}

export const defaultPractice = 'sandpiper-demonstration'
export const fhirOrigin = 'https://portal.example'
export const baseOf = (practice: string) => `${fhirOrigin}/r4/${practice}`

const scopesOf = { patient: 'patient/*.rs', clinician: 'user/*.rs', backend: 'system/*.rs' }

export async function fhirStack(options: TestServicesOptions = {}) {
  const services = await testServices(options)
  const { prisma, clock } = services
  const app = createApp(services)

  /** @param path below the practice's base, or an absolute URL such as a next link */
  async function call(path: string, options: FhirCallOptions = {}): Promise<FhirAnswer> {
    const { token = null, method = 'GET', headers = {}, body, ip = '192.0.2.1' } = options
    const authorization = options.authorization ?? (token === null ? undefined : `Bearer ${token}`)
    const url = /^https?:/.test(path)
      ? path
      : `https://elsewhere.example/r4/${options.practice ?? defaultPractice}/${path}`
    const request = new Request(url, {
      method,
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      ...(body !== undefined && { body, duplex: 'half' }),
    } as RequestInit)
    const answer = await app.fetch(request, { incoming: { socket: { remoteAddress: ip } } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: parse(text) }
  }

  async function issueToken(options: TokenOptions = {}): Promise<IssuedToken> {
    const { audience = 'clinician', patientId = null, fhirUser = null } = options
    const practice = await prisma.practice.findUniqueOrThrow({
      where: { slug: options.practice ?? defaultPractice },
    })
    const scope = options.scope ?? scopesOf[audience]
    const clientId = options.clientId ?? (await addClient(practice.environment, audience, scope))
    const now = clock()
    const grant = await prisma.grant.create({
      data: {
        clientId,
        practiceId: practice.id,
        audience,
        scope,
        patientId,
        fhirUser: fhirUser ?? (audience === 'patient' ? `Patient/${patientId}` : null),
        createdAt: now,
        activatedAt: now,
      },
    })
    const token = makeOpaque('access_token', randomBytes)
    const { id } = await prisma.accessToken.create({
      data: {
        tokenHash: hashOpaque(token),
        grantId: grant.id,
        scope,
        createdAt: now,
        expiresAt: options.expiresAt ?? new Date(now.getTime() + 3_600_000),
      },
    })
    return { token, tokenId: id, grantId: grant.id, clientId, practiceId: practice.id }
  }

  async function addClient(
    environment: 'sandbox' | 'production',
    audience: 'patient' | 'clinician' | 'backend',
    scope: string,
  ): Promise<string> {
    const { id } = await prisma.client.create({
      data: {
        id: `test-${randomUUID()}`,
        appId: randomUUID(),
        environment,
        audience,
        authentication: 'none',
        name: 'Test app',
        redirectUris: ['https://app.example/callback'],
        scope,
        everyPractice: true,
        createdAt: clock(),
      },
    })
    return id
  }

  /** Every page of a search, in order. */
  async function collect(path: string, options: FhirCallOptions = {}): Promise<FhirAnswer[]> {
    const pages: FhirAnswer[] = []
    let next: string | undefined = path
    while (next !== undefined) {
      const page: FhirAnswer = await call(
        next,
        pages.length === 0 ? options : { token: options.token ?? null },
      )
      pages.push(page)
      next = linkOf(page, 'next')
    }
    return pages
  }

  return { services, app, call, collect, issueToken, addClient }
}

export type FhirStack = Awaited<ReturnType<typeof fhirStack>>

export function linkOf({ body }: FhirAnswer, relation: string): string | undefined {
  const links: { relation: string; url: string }[] = body?.link ?? []
  return links.find((link) => link.relation === relation)?.url
}

export type Entry = {
  fullUrl: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  resource: any
  search: { mode: 'match' | 'include' | 'outcome' }
}

export const entriesOf = ({ body }: FhirAnswer): Entry[] => body?.entry ?? []

/** `Type/id` of what matched. */
export const matchesOf = (answer: FhirAnswer): string[] =>
  entriesOf(answer)
    .filter(({ search }) => search.mode === 'match')
    .map(({ resource }) => `${resource.resourceType}/${resource.id}`)

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The bytes with the one thing masked that differs between equal refusals. */
export const masked = (text: string): string => text.replace(uuid, 'masked')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
