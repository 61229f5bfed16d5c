/** People who sign in, apps that search, and documents that are written, without pause, each answer looked at. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect } from 'vitest'
import { paths } from '../../server/contract/portal/paths.ts'
import type { Services } from '../../server/services.ts'
import { addDeveloper } from '../support/journey-people.ts'
import { demonstration, smartSupport } from '../support/smart.ts'

const people = 4
const chart = 'pt-wren-testwell'

export type Readers = {
  /** How often each came. */
  answers: Readonly<Record<string, number>>
  /** When the last request was sent that was not served, by `performance.now()`; 0: all were. */
  lastRefusedAt: () => number
  /** @returns responses that no client can act on */
  stop: () => Promise<readonly string[]>
  /** Everybody who was signed in is so still. */
  checkSessions: () => Promise<void>
}

type Served = { status: number; text: string; headers: Headers }

/** @param origins of servers that share a database */
export async function startReaders(
  services: Services,
  owner: pg.Pool,
  { origins, portal }: { origins: readonly string[]; portal: string },
): Promise<Readers> {
  const { access_token: token } = await smartSupport(services).issueToken({ scope: 'system/*.rs' })
  const signedIn: { cookie: string; home: string }[] = []
  const answers: Record<string, number> = {}
  const faults: string[] = []
  let refusedAt = 0
  let stopping = false

  /** @returns null for what may be repeated: 503 with Retry-After, or a response that broke off after its beginning */
  async function ask(what: string, url: string, init: RequestInit, whole: (served: Served) => boolean) {
    const sentAt = performance.now()
    const response = await fetch(url, { redirect: 'manual', ...init }).catch(() => null)
    const text = await response?.text().catch(() => null)
    const status = response?.status ?? 0
    const brokeOff = response !== null && typeof text !== 'string'
    const answer = `${what} ${brokeOff ? 'broken off' : status}`
    answers[answer] = (answers[answer] ?? 0) + 1
    const served = { status, text: text ?? '', headers: response?.headers ?? new Headers() }
    if (!brokeOff && whole(served)) return served
    refusedAt = Math.max(refusedAt, sentAt)
    const mayRepeat = brokeOff || (status === 503 && served.headers.has('retry-after'))
    if (!mayRepeat) faults.push(`${what} ${status} ${served.text.slice(0, 300)}`)
    return null
  }

  async function loop(turn: () => Promise<unknown>, pauseMs: number): Promise<void> {
    while (!stopping) {
      await turn()
      await sleep(pauseMs)
    }
  }

  const headers = { authorization: `Bearer ${token}` }
  const search = (origin: string) =>
    ask(
      'search',
      `${origin}/r4/${demonstration}/Observation?patient=${chart}&_count=20`,
      { headers },
      ({ status, text }) => status === 200 && JSON.parse(text).entry.length > 0,
    )
  const document = (origin: string) =>
    ask(
      'document',
      `${origin}/r4/${demonstration}/Patient/${chart}/$ccda`,
      { headers },
      ({ status, text }) => status === 200 && text.trimEnd().endsWith('</ClinicalDocument>'),
    )

  async function signIn(person: { email: string; password: string }, address: string): Promise<void> {
    const { email, password } = person
    const served = await ask(
      'sign-in',
      `${portal}${paths.signIn}`,
      {
        method: 'POST',
        body: new URLSearchParams({ email, password }),
        headers: { origin: portal, 'x-forwarded-for': address },
      },
      ({ status, headers: given }) => status === 302 && given.has('set-cookie'),
    )
    if (served === null) return
    const [cookie = ''] = (served.headers.get('set-cookie') ?? '').split(';')
    signedIn.push({ cookie, home: served.headers.get('location') ?? '' })
  }

  const running = origins.flatMap((origin) => [
    loop(() => search(origin), 20),
    loop(() => search(origin), 20),
    loop(() => document(origin), 300),
  ])
  for (let index = 0; index < people; index++) {
    const person = await addDeveloper(owner)
    running.push(loop(() => signIn(person, `198.18.1.${index + 1}`), 4_000))
  }

  return {
    answers,
    lastRefusedAt: () => refusedAt,
    async stop() {
      stopping = true
      await Promise.all(running)
      return faults
    },
    async checkSessions() {
      expect(signedIn.length).toBeGreaterThan(people)
      for (const [index, { cookie, home }] of signedIn.entries()) {
        // Pages are limited by address.
        const address = `198.18.2.${(index % 250) + 1}`
        const url = new URL(home, portal)
        const { status, headers: given } = await fetch(url, {
          headers: { cookie, 'x-forwarded-for': address },
          redirect: 'manual',
        })
        expect([status, given.get('location') ?? '']).not.toEqual([
          302,
          expect.stringContaining(paths.signIn),
        ])
        expect(status).toBeLessThan(400)
      }
    },
  }
}
