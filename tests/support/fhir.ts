/** The FHIR API of a whole server on a database of its own, and access tokens to call it with. */
import { createApp } from '../../server/app.ts'
import { hashToken } from '../../server/auth/random-token.ts'
import { jsonOf } from '../../server/contract/http/answer-head.ts'
import type { RestAnswer } from './rest.ts'
import { type TestServices, type TestServicesOptions, testServices } from './services.ts'
import { smartSupport } from './smart.ts'

export type FhirAnswer = RestAnswer

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

type TokenOptions = {
  practice?: string
  audience?: 'patient' | 'clinician' | 'backend'
  /** In the words of the grammar, joined by spaces. */
  scope?: string
  /** Of a patient's own record, or chosen by a clinician. */
  patientId?: string
  practitionerId?: string
  expiresAt?: Date
  /** Of an app made before; left out, a new one. */
  clientId?: string
}

type IssuedToken = {
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

export async function fhirStack(options: TestServicesOptions & { services?: TestServices } = {}) {
  const services = options.services ?? (await testServices(options))
  const { prisma } = services
  const smart = smartSupport(services)
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
    return { status: answer.status, headers: answer.headers, text, body: jsonOf(text) }
  }

  /** A token as the authorization server gives it out, to a person who agreed or a system that was authorized. */
  async function issueToken(options: TokenOptions = {}): Promise<IssuedToken> {
    const { audience = 'clinician', practice = defaultPractice, patientId, practitionerId } = options
    const issued = await smart.issueToken({
      practice,
      scope: options.scope ?? scopesOf[audience],
      ...(audience !== 'backend' && { audience }),
      ...(patientId !== undefined && { patientId }),
      ...(practitionerId !== undefined && { practitionerId }),
      ...(options.clientId !== undefined && { client: { clientId: options.clientId } }),
    })
    const { id: tokenId, grant } = await prisma.accessToken.update({
      where: { tokenHash: hashToken(issued.access_token) },
      data: options.expiresAt === undefined ? {} : { expiresAt: options.expiresAt },
      include: { grant: true },
    })
    const { id: grantId, clientId, practiceId } = grant
    return { token: issued.access_token, tokenId, grantId, clientId, practiceId }
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

  return { services, app, call, collect, issueToken }
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
