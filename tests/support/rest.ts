/** The REST APIs of a whole server on a database of its own, and keys to call it with. */

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createApp } from '../../server/app.ts'
import { jsonOf } from '../../server/contract/http/answer-head.ts'
import type { Deprecations } from '../../server/contract/http/deprecations.ts'
import type { KeyAccess } from '../../server/contract/keys/key-access.ts'
import type { KeyCaps } from '../../server/contract/keys/key-caps.ts'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import { basePaths } from '../../server/contract/rest/openapi.ts'
import { createResponseCheck } from './openapi-responses.ts'
import { addAccount } from './people.ts'
import { type TestServices, type TestServicesOptions, testServices } from './services.ts'

export type Environment = 'sandbox' | 'production'

/** Every response of every test is held against the OpenAPI document. */
const createChecks = (deprecations?: Deprecations) => ({
  sandbox: createResponseCheck('sandbox', deprecations),
  production: createResponseCheck('production', deprecations),
})
const usualChecks = createChecks()

export type RestAnswer = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  body: any
}

export type CallOptions = {
  key?: string | null
  /** In place of `Bearer <key>`. */
  authorization?: string
  base?: Environment
  method?: string
  headers?: Record<string, string>
  body?: BodyInit
  /** Address of the connection. */
  ip?: string
}

type KeyOptions = {
  practice?: string
  level?: 'read_only' | 'full'
  environment?: Environment
  expiresAt?: Date
  revokedAt?: Date
  suspendedAt?: Date
  mcpWrites?: boolean
  access?: KeyAccess
  /** What the practice allows it a day, and when. */
  caps?: Partial<Omit<KeyCaps, 'id'>>
  narrowedFrom?: Date
}

export type IssuedKey = { key: string; id: string; prefix: string; practiceId: string }

export async function restStack(options: TestServicesOptions & { services?: TestServices } = {}) {
  const services = options.services ?? (await testServices(options))
  const app = createApp(services)
  const checks = options.deprecations ? createChecks(options.deprecations) : usualChecks
  const { id: ownerId } = await addAccount(services, 'developer')

  async function call(path: string, options: CallOptions = {}): Promise<RestAnswer> {
    const { key = null, base = 'sandbox', method = 'GET', headers = {}, body, ip = '192.0.2.1' } = options
    const authorization = options.authorization ?? (key === null ? undefined : `Bearer ${key}`)
    const request = new Request(`https://elsewhere.example${basePaths[base]}${path}`, {
      method,
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      ...(body !== undefined && { body, duplex: 'half' }),
    } as RequestInit)
    const answer = await app.fetch(request, { incoming: { socket: { remoteAddress: ip } } })
    const text = await answer.text()
    const response = { status: answer.status, headers: answer.headers, text }
    const undocumented = checks[base]({ method, path }, response)
    if (undocumented.length > 0) throw new Error(undocumented.join('\n'))
    return { ...response, body: jsonOf(text) }
  }

  async function issueKey(options: KeyOptions = {}): Promise<IssuedKey> {
    const {
      practice: slug = 'sandpiper-demonstration',
      level = 'read_only',
      environment = 'sandbox',
    } = options
    const practice = await services.prisma.practice.findUniqueOrThrow({ where: { slug } })
    const now = services.clock()
    const key = makeKey(environment, randomBytes)
    const { id, prefix } = await services.prisma.apiKey.create({
      data: {
        prefix: prefixOf(key),
        secretHash: createHash('sha256').update(key).digest(),
        name: 'Test key',
        level,
        environment,
        practiceId: practice.id,
        createdById: ownerId,
        createdAt: now,
        expiresAt: options.expiresAt ?? new Date(now.getTime() + 90 * 86_400_000),
        revokedAt: options.revokedAt ?? null,
        suspendedAt: options.suspendedAt ?? null,
        mcpWrites: options.mcpWrites ?? false,
        ...(options.caps && {
          capId: (await services.prisma.keyCap.create({ data: toCapRow(practice.id, options.caps) })).id,
        }),
        ...(options.access && {
          dataClasses: [...options.access.classes],
          purposes: [...options.access.purposes],
          narrowedFrom: options.narrowedFrom ?? now,
        }),
      },
    })
    return { key, id, prefix, practiceId: practice.id }
  }

  /** A `full` key of a sandbox practice with records of its own, as an organization has it. */
  async function issueWriter(
    options: Pick<KeyOptions, 'mcpWrites' | 'caps'> = {},
  ): Promise<IssuedKey & { datasetId: number }> {
    const now = services.clock()
    const { id } = await services.prisma.organization.create({
      data: { slug: `team-${randomUUID()}`, name: 'Placeholder Labs', createdById: ownerId, createdAt: now },
    })
    const practice = await services.sandboxes.ensure(id, { writable: true })
    const issued = await issueKey({ ...options, practice: practice.slug, level: 'full' })
    return { ...issued, datasetId: practice.datasetId }
  }

  /** POSTs JSON. */
  function post(path: string, body: unknown, { headers = {}, ...options }: CallOptions = {}) {
    return call(path, {
      ...options,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  /** Why calls were refused, as the activity log of the key says it. */
  async function refusalsOf(correlationIds: string[]): Promise<string[]> {
    await services.recorder.flush()
    const { rows } = await services.pool.query<{ refusal: string }>(
      'SELECT DISTINCT refusal FROM log.activity WHERE correlation_id = ANY ($1::uuid[])',
      [correlationIds],
    )
    return rows.map(({ refusal }) => refusal)
  }

  return { services, app, call, post, issueKey, issueWriter, refusalsOf }
}

export type RestStack = Awaited<ReturnType<typeof restStack>>

function toCapRow(practiceId: string, caps: NonNullable<KeyOptions['caps']>) {
  const { callsPerDay = null, patientsPerDay = null, hours = null, zone = 'America/New_York' } = caps
  const at = { hoursFrom: hours?.from ?? null, hoursUntil: hours?.until ?? null }
  return { practiceId, callsPerDay, patientsPerDay, ...at, zone }
}
