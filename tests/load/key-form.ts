/** Developers with an organization each, who send the key request form as a browser without scripts does. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { ensureSecrets } from '../../scripts/setup/secrets.mjs'
import { paths } from '../../server/contract/portal/paths.ts'
import { parseEnv } from '../../server/env.ts'
import { createServices, type Services } from '../../server/services.ts'
import { addDeveloper } from '../support/journey-people.ts'
import type { Installation } from './installation.ts'

const projectDescription =
  'A nightly import that reads the patients of one practice into a test of our scheduling service.'

/** Each has an IP address of its own, so that the limits of one address don't apply. */
export type Developer = { email: string; slug: string; cookie: string; address: string }

export type SentForm = { developer: Developer; idempotencyKey: string }

/** Creates developers and signs them in, with the server's services in this process. */
export async function createDevelopers(installation: Installation, count: number): Promise<Developer[]> {
  const { ownerUrl, appUrl } = await installation.urls()
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 1 })
  const env = parseEnv({
    NODE_ENV: 'test',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: installation.origin,
    DATA_DIR: installation.folder,
    DATABASE_URL: appUrl,
    ...ensureSecrets(installation.folder),
  })
  const services = createServices({ env, appUrl, log: pino({ level: 'silent' }) })
  try {
    const developers: Developer[] = []
    for (let index = 0; index < count; index++) developers.push(await createDeveloper(services, owner, index))
    return developers
  } finally {
    await services.close()
    await owner.end()
  }
}

/** One developer with an organization, signed in. */
export async function createDeveloper(services: Services, owner: pg.Pool, index: number): Promise<Developer> {
  const { accountId, email } = await addDeveloper(owner)
  const address = `198.18.0.${index + 1}`
  const actor = {
    accountId,
    sessionId: randomUUID(),
    authenticatedAt: new Date(),
    ip: address,
    userAgent: 'load test',
    correlationId: randomUUID(),
  }
  await services.organizations.create({ name: `Samplewood ${index}` }, actor)
  const [organization] = await services.organizations.listFor(accountId)
  const { cookie } = await services.sessions.start({
    accountId,
    realm: 'developer',
    ip: address,
    userAgent: 'load test',
  })
  return { email, slug: organization?.slug ?? '', cookie: cookie.split(';')[0] ?? '', address }
}

/**
 * Sends the form once.
 * @returns `answered` when the server said that the request is recorded, `lost` when it did not answer, or
 *   answered that it cannot
 * @throws Error for any other answer
 */
export async function sendKeyForm(
  origin: string,
  { developer, idempotencyKey }: SentForm,
  terms: { version: string; sha256: string },
): Promise<'answered' | 'lost'> {
  const body = new URLSearchParams({
    name: `Import ${idempotencyKey.slice(0, 8)}`,
    projectDescription,
    technicalContact: developer.email,
    level: 'read_only',
    acceptTerms: 'on',
    termsVersion: terms.version,
    termsSha256: terms.sha256,
    idempotencyKey,
  })
  const list = paths.organizationKeys(developer.slug)
  try {
    const answer = await fetch(`${origin}${list}/new`, {
      method: 'POST',
      body,
      headers: { cookie: developer.cookie, origin, 'x-forwarded-for': developer.address },
      redirect: 'manual',
    })
    // A response that is not read to its end keeps its connection busy, and the server waits for it.
    const text = await answer.text()
    if (answer.status === 302 && answer.headers.get('location') === list) return 'answered'
    if (answer.status >= 500) return 'lost'
    throw new UnexpectedAnswer(`${answer.status} ${answer.headers.get('location') ?? ''} ${text}`)
  } catch (error) {
    if (error instanceof UnexpectedAnswer) throw error
    return 'lost'
  }
}

class UnexpectedAnswer extends Error {}
