/**
 * The public keys of an app, from its registration or fetched from its key set URL. A fetched key set is cached as its
 * headers say, within limits. An unknown kid causes another fetch, at most once a minute across all processes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, JwksCache, Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { parseBoundedJson } from '../../contract/http/json-bounds.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { PublicJwks } from './client-types.ts'

type FoundKeys = Readonly<{
  keys: PublicJwks['keys']
  /** Why there are no fresh keys, for the app's developers; null if there are. */
  failure: string | null
}>

export type JwksSource = {
  /** @param kid the required key: if it is unknown, the key set is fetched again */
  keysOf(client: Client, kid: string | null): Promise<FoundKeys>
}

type Dependencies = { prisma: PrismaClient; clock: () => Date; outbound: Outbound }

const secondsMin = 60
const secondsMax = 86_400
const secondsDefault = 3_600
/** The minimum time between two fetches of a URL because of an unknown kid, or after a failure. */
const attemptEveryMs = 60_000
/** Polling for another process's fetch, in total a little longer than a fetch may take. */
const pollEveryMs = 50
const pollsMax = 80

export function createJwksSource({ prisma, clock, outbound }: Dependencies): JwksSource {
  const fetches = new Map<string, Promise<FoundKeys>>()

  async function keysOf(client: Client, kid: string | null): Promise<FoundKeys> {
    if (client.jwks !== null) return { keys: usableKeys(client.jwks)?.keys ?? [], failure: null }
    const url = client.jwksUrl
    if (url === null) return { keys: [], failure: 'The app has no registered keys.' }
    const known = readCache(await prisma.jwksCache.findUnique({ where: { url } }))
    const isKnown = kid === null || known.keys.some((key) => key.kid === kid)
    if (known.isFresh && isKnown) return { keys: known.keys, failure: null }
    return fetchOnce(url, known.keys)
  }

  /** Concurrent requests in this process share one fetch. */
  function fetchOnce(url: string, keysBefore: PublicJwks['keys']): Promise<FoundKeys> {
    const running = fetches.get(url)
    if (running) return running
    const started = fetchOrAwait(url, keysBefore).finally(() => fetches.delete(url))
    fetches.set(url, started)
    return started
  }

  async function fetchOrAwait(url: string, keysBefore: PublicJwks['keys']): Promise<FoundKeys> {
    const now = clock()
    return (await claim(url, now)) ? fetchKeys(url, now, keysBefore) : awaitKeys(url)
  }

  /** Only one of all processes may fetch a URL within a minute. */
  async function claim(url: string, now: Date): Promise<boolean> {
    const attempt = { attemptedAt: now, failure: null }
    const updated = await prisma.jwksCache.updateMany({
      where: { url, attemptedAt: { lte: new Date(now.getTime() - attemptEveryMs) } },
      data: attempt,
    })
    if (updated.count > 0) return true
    const inserted = await prisma.jwksCache.createMany({ data: [{ url, ...attempt }], skipDuplicates: true })
    return inserted.count > 0
  }

  /** The result of the last fetch; waits for one that another process has started. */
  async function awaitKeys(url: string): Promise<FoundKeys> {
    for (let tries = 0; ; tries++) {
      const { keys, failure, isUnderWay } = readCache(await prisma.jwksCache.findUnique({ where: { url } }))
      if (!isUnderWay) return { keys, failure }
      if (tries === pollsMax) return { keys, failure: 'The key set URL could not be fetched.' }
      await sleep(pollEveryMs)
    }
  }

  async function fetchKeys(url: string, attemptedAt: Date, keysBefore: PublicJwks['keys']) {
    try {
      const response = await outbound.get(url)
      const jwks = response.status === 200 ? usableKeys(parseJson(response.body)) : null
      if (jwks === null) throw new Error(response.status === 200 ? 'no JWKS' : `status ${response.status}`)
      const expiresAt = new Date(attemptedAt.getTime() + cacheSeconds(response.headers) * 1000)
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

  function readCache(row: JwksCache | null) {
    const isFresh = row?.expiresAt != null && row.expiresAt > clock()
    const keys = isFresh && row.jwks ? (usableKeys(row.jwks)?.keys ?? []) : []
    // The last attempt has neither succeeded nor failed yet.
    const isUnderWay =
      row !== null && row.failure === null && row.fetchedAt?.getTime() !== row.attemptedAt.getTime()
    return { keys, isFresh, failure: row?.failure ?? null, isUnderWay }
  }

  return { keysOf }
}

/** https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2 — limited, so that keys are fetched neither too often nor too rarely. */
function cacheSeconds(headers: Readonly<Record<string, string>>): number {
  const cacheControl = headers['cache-control'] ?? ''
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return secondsMin
  const [, seconds] = /\bmax-age=(\d{1,10})\b/i.exec(cacheControl) ?? []
  return Math.min(Math.max(seconds === undefined ? secondsDefault : Number(seconds), secondsMin), secondsMax)
}

/** The message is vague, so that it does not disclose what is behind a URL. */
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

// Validates the keys that an app may sign with. https://hl7.org/fhir/smart-app-launch/STU2.2/client-confidential-asymmetric.html

const keysMax = 20
const rsaBytesMin = 256
/** Members that only a private key has. */
export const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

/** The fault of a key set, in a message that never repeats the keys; null if it can be registered. */
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

/** @throws Problem `validation` with the fault; the message never repeats the keys */
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
