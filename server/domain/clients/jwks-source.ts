/**
 * The public keys of an app: registered with it, or fetched from its address. What is fetched is kept as long as its
 * headers say, within bounds; an unknown key has it fetched again, at most once a minute over all processes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, JwksCache, Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { parseBoundedJson } from '../../contract/http/json-bounds.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { PublicJwks } from './client-types.ts'

type FoundKeys = Readonly<{
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
/** For a look of another process, together a little longer than the fetcher waits for an answer. */
const lookEveryMs = 50
const looksMax = 80

export function createJwksSource({ prisma, clock, outbound }: Dependencies): JwksSource {
  const looking = new Map<string, Promise<FoundKeys>>()

  async function keysOf(client: Client, kid: string | null): Promise<FoundKeys> {
    if (client.jwks !== null) return { keys: usableKeys(client.jwks)?.keys ?? [], failure: null }
    const url = client.jwksUrl
    if (url === null) return { keys: [], failure: 'The app has no registered keys.' }
    const known = found(await prisma.jwksCache.findUnique({ where: { url } }))
    const isKnown = kid === null || known.keys.some((key) => key.kid === kid)
    if (known.isFresh && isKnown) return { keys: known.keys, failure: null }
    return lookOnce(url, known.keys)
  }

  /** Everybody in this process who needs it waits for the same answer. */
  function lookOnce(url: string, keysBefore: PublicJwks['keys']): Promise<FoundKeys> {
    const running = looking.get(url)
    if (running) return running
    const started = look(url, keysBefore).finally(() => looking.delete(url))
    looking.set(url, started)
    return started
  }

  async function look(url: string, keysBefore: PublicJwks['keys']): Promise<FoundKeys> {
    const now = clock()
    return (await claim(url, now)) ? fetchKeys(url, now, keysBefore) : awaitKeys(url)
  }

  /** Of all processes that would look within a minute one may. */
  async function claim(url: string, now: Date): Promise<boolean> {
    const taken = { attemptedAt: now, failure: null }
    const updated = await prisma.jwksCache.updateMany({
      where: { url, attemptedAt: { lte: new Date(now.getTime() - attemptEveryMs) } },
      data: taken,
    })
    if (updated.count > 0) return true
    const inserted = await prisma.jwksCache.createMany({ data: [{ url, ...taken }], skipDuplicates: true })
    return inserted.count > 0
  }

  /** What the last look found; one that is under way in another process is waited for. */
  async function awaitKeys(url: string): Promise<FoundKeys> {
    for (let tries = 0; ; tries++) {
      const { keys, failure, isUnderWay } = found(await prisma.jwksCache.findUnique({ where: { url } }))
      if (!isUnderWay) return { keys, failure }
      if (tries === looksMax) return { keys, failure: 'The key set URL could not be fetched.' }
      await sleep(lookEveryMs)
    }
  }

  async function fetchKeys(url: string, attemptedAt: Date, keysBefore: PublicJwks['keys']) {
    try {
      const answer = await outbound.get(url)
      const jwks = answer.status === 200 ? usableKeys(parseJson(answer.body)) : null
      if (jwks === null) throw new Error(answer.status === 200 ? 'no JWKS' : `status ${answer.status}`)
      const expiresAt = new Date(attemptedAt.getTime() + secondsToKeep(answer.headers) * 1000)
      await prisma.jwksCache.update({
        where: { url },
        data: { jwks: jwks as Prisma.InputJsonObject, fetchedAt: attemptedAt, expiresAt },
      })
      return { keys: jwks.keys, failure: null }
    } catch (error) {
      const failure = failureOf(error)
      await prisma.jwksCache.update({ where: { url }, data: { failure } })
      return { keys: keysBefore, failure }
    }
  }

  function found(row: JwksCache | null) {
    const isFresh = row?.expiresAt != null && row.expiresAt > clock()
    const keys = isFresh && row.jwks ? (usableKeys(row.jwks)?.keys ?? []) : []
    // Neither a success nor a failure stands there for the last attempt.
    const isUnderWay =
      row !== null && row.failure === null && row.fetchedAt?.getTime() !== row.attemptedAt.getTime()
    return { keys, isFresh, failure: row?.failure ?? null, isUnderWay }
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

/** Vague on purpose: what lies behind an address is no one's business here. */
function failureOf(error: unknown): string {
  if (isProblem(error)) return 'The key set URL could not be fetched.'
  const [, status] = /^status (\d+)$/.exec(error instanceof Error ? error.message : '') ?? []
  return status ? `The key set URL responded with ${status}.` : 'The key set URL didn’t return a usable JWKS.'
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseBoundedJson(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
}

// Which keys an app may sign with. https://hl7.org/fhir/smart-app-launch/STU2.2/client-confidential-asymmetric.html

const keysMax = 20
const rsaBytesMin = 256
/** Members that only a private key has. */
export const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

/** What is wrong with a key set, as a sentence that never repeats the keys; null when it can be registered. */
export function findJwksFault(value: unknown): string | null {
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
  if (!Array.isArray(keys)) return 'A JWKS must be an object with an array named keys.'
  if (keys.length === 0 || keys.length > keysMax) return `A JWKS must have 1 to ${keysMax} keys.`
  for (const key of keys) {
    const fault = faultOfKey(key)
    if (fault) return fault
  }
  return null
}

/** @throws Problem `validation` with what is wrong; never repeats the keys */
export function checkPublicJwks(value: unknown): void {
  const message = findJwksFault(value)
  if (message !== null) throw new Problem('validation', { field: 'jwks', message })
}

/** The usable keys of a client's key set; other keys in it are ignored. */
export function usableKeys(value: unknown): PublicJwks | null {
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
  if (!Array.isArray(keys)) return null
  return { keys: keys.slice(0, keysMax).filter((key) => faultOfKey(key) === null) }
}

function faultOfKey(key: unknown): string | null {
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return 'A key must be an object.'
  const { kty, kid, crv, n, x, y, use } = key as Record<string, unknown>
  if (secretMembers.some((name) => name in key))
    return 'A key contains its private part. Enter public keys only, and stop using this key because it is no longer secret.'
  if (typeof kid !== 'string' || kid.length === 0 || kid.length > 255)
    return 'Every key needs a kid of 1 to 255 characters.'
  if (use !== undefined && use !== 'sig') return 'A key is not for signing.'
  if (kty === 'RSA')
    return typeof n === 'string' && Buffer.from(n, 'base64url').length >= rsaBytesMin
      ? null
      : 'An RSA key must have at least 2,048 bits.'
  if (kty === 'EC')
    return crv === 'P-384' && typeof x === 'string' && typeof y === 'string'
      ? null
      : 'An EC key must use the curve P-384, for ES384.'
  return 'Keys must be RSA (for RS384) or EC P-384 (for ES384).'
}
