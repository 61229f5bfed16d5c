/**
 * The public keys of an app: registered with it, or fetched from its address. What is fetched is kept as long as its
 * headers say, within bounds; an unknown key has it fetched again, at most once a minute over all processes.
 */
import type { Client, Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/problems.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { PublicJwks } from './client-types.ts'
import { usableKeys } from './public-jwks.ts'

export type FoundKeys = Readonly<{
  keys: PublicJwks['keys']
  /** Why there are no (fresh) keys, for the app's developers; null when all is well. */
  failure: string | null
}>

export type JwksSource = {
  /** @param kid the key that is looked for: unknown, it is worth another look at the address */
  keysOf(client: Client, kid: string | null): Promise<FoundKeys>
}

type Dependencies = { prisma: PrismaClient; clock: () => Date; outbound: Outbound }

const secondsMin = 60
const secondsMax = 86_400
const secondsDefault = 3_600
/** Between two looks at an address for the sake of an unknown key, or after a failure. */
const attemptEveryMs = 60_000

export function createJwksSource({ prisma, clock, outbound }: Dependencies): JwksSource {
  const fetching = new Map<string, Promise<FoundKeys>>()

  async function keysOf(client: Client, kid: string | null): Promise<FoundKeys> {
    if (client.jwks !== null) return { keys: usableKeys(client.jwks)?.keys ?? [], failure: null }
    const url = client.jwksUrl
    if (url === null) return { keys: [], failure: 'The app has no keys registered.' }
    const row = await prisma.jwksCache.findUnique({ where: { url } })
    const keys = row?.jwks ? (usableKeys(row.jwks)?.keys ?? []) : []
    const now = clock()
    const isFresh = row?.expiresAt != null && row.expiresAt > now
    const isKnown = kid === null || keys.some((key) => key.kid === kid)
    if (isFresh && isKnown) return { keys, failure: null }
    if (row && now.getTime() - row.attemptedAt.getTime() < attemptEveryMs)
      return { keys: isFresh ? keys : [], failure: row.failure }
    return fetchOnce(url, isFresh ? keys : [])
  }

  /** Everybody in this process who needs it waits for the same answer. */
  function fetchOnce(url: string, keysBefore: PublicJwks['keys']): Promise<FoundKeys> {
    const running = fetching.get(url)
    if (running) return running
    const started = fetchKeys(url, keysBefore).finally(() => fetching.delete(url))
    fetching.set(url, started)
    return started
  }

  async function fetchKeys(url: string, keysBefore: PublicJwks['keys']): Promise<FoundKeys> {
    const attemptedAt = clock()
    try {
      const answer = await outbound.get(url)
      const jwks = answer.status === 200 ? usableKeys(parseJson(answer.body)) : null
      if (jwks === null) throw new Error(answer.status === 200 ? 'no JWKS' : `status ${answer.status}`)
      const expiresAt = new Date(attemptedAt.getTime() + secondsToKeep(answer.headers) * 1000)
      const fetched = {
        jwks: jwks as Prisma.InputJsonObject,
        fetchedAt: attemptedAt,
        expiresAt,
        failure: null,
      }
      await save(url, attemptedAt, fetched)
      return { keys: jwks.keys, failure: null }
    } catch (error) {
      const failure = failureOf(error)
      await save(url, attemptedAt, { failure })
      return { keys: keysBefore, failure }
    }
  }

  async function save(
    url: string,
    attemptedAt: Date,
    found: Omit<Prisma.JwksCacheUncheckedCreateInput, 'url' | 'attemptedAt'>,
  ): Promise<void> {
    await prisma.jwksCache.upsert({
      where: { url },
      create: { url, attemptedAt, ...found },
      update: { attemptedAt, ...found },
    })
  }

  return { keysOf }
}

/** https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2 — bounded both ways: neither a flood nor for ever. */
function secondsToKeep(headers: Readonly<Record<string, string>>): number {
  const cacheControl = headers['cache-control'] ?? ''
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return secondsMin
  const [, seconds] = /\bmax-age=(\d{1,10})\b/i.exec(cacheControl) ?? []
  return Math.min(Math.max(seconds === undefined ? secondsDefault : Number(seconds), secondsMin), secondsMax)
}

/** Vague on purpose: what lies behind an address is nobody's business here. */
function failureOf(error: unknown): string {
  if (isProblem(error)) return 'The address of the keys could not be fetched.'
  const [, status] = /^status (\d+)$/.exec(error instanceof Error ? error.message : '') ?? []
  return status
    ? `The address of the keys answered ${status}.`
    : 'The address of the keys gave no usable JWKS.'
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
}
