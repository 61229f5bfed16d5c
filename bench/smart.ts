/** `npm run bench -- smart`: what authentication costs, each row after a warm-up, in one process. */
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { discardPostgres, startPostgres } from '../scripts/postgres/start.mjs'
import { createPasswords } from '../server/auth/password.ts'
import { livenessOf } from '../server/auth/principal.ts'
import { parseEnv } from '../server/env.ts'
import { createServices, type Services } from '../server/services.ts'
import { migrate } from '../server/store/migrations.ts'
import { makeAssertionKey, signAssertion } from '../tests/support/assertion.ts'
import { smartSupport } from '../tests/support/smart.ts'

const slug = 'bench-practice'
const password = 'twelve plain birds over the harbor'

await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'postgres')
  const database = await startPostgres({ dataDir })
  try {
    await migrate({ ownerUrl: database.ownerUrl })
    const env = parseEnv({
      SANDPIPER_EMBEDDED: '1',
      PUBLIC_ORIGIN: 'http://localhost:3000',
      DATA_DIR: folder,
      DATABASE_URL: database.appUrl,
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    })
    const services = createServices({ env, log: pino({ level: 'silent' }), appUrl: database.appUrl })
    await report(services)
    await services.close()
  } finally {
    await discardPostgres(dataDir)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function report(services: Services): Promise<void> {
  await services.prisma.practice.create({
    data: {
      slug,
      name: 'Bench Practice',
      environment: 'sandbox',
      fhirEnabled: true,
      inDirectory: false,
      purpose: 'office',
      datasetId: await services.store.datasets.create({ name: slug, kind: 'practice', source: 'bench' }),
      createdAt: new Date(),
    },
  })
  const support = smartSupport(services)
  const key = await makeAssertionKey('ES384')
  const { client, admin } = await support.createSystem({
    scope: 'system/*.rs',
    practice: slug,
    client: { jwks: { keys: [{ ...key.publicJwk }] } },
  })
  const { access_token } = await support.issueToken({ scope: 'system/*.rs', practice: slug, client })

  const header = `Bearer ${access_token}`
  const outcome = await services.smartTokens.authenticate(header)
  if (outcome.kind !== 'principal') throw new Error(outcome.reason)
  await row('a remembered access token', 200_000, () => services.smartTokens.authenticate(header))
  const { principal } = outcome
  const { datasetId } = principal.practice
  await row('the statement that asks whether it is good', 3_000, () =>
    services.store.isAlive(datasetId, livenessOf(principal, new Date())),
  )
  await row('an access token looked up', 3_000, () =>
    services.smartTokens.authenticate(header, { anew: true }),
  )
  await row('a token for a signed assertion (ES384)', 200, () => grantOnce(services, client.clientId, key))

  const passwords = createPasswords()
  const passwordHash = await passwords.hash(password)
  const { email } = await services.prisma.account.update({
    where: { id: admin.accountId },
    data: { passwordHash },
  })
  const argon2 = await row('one argon2id', 30, () => passwords.verify(passwordHash, password))
  const context = { ip: '127.0.0.1', userAgent: 'bench', correlationId: randomUUID() }
  const signIn = await row('a sign-in', 30, () =>
    services.accounts.signIn({ realm: 'practice', email, password }, context),
  )
  console.log(`${'a sign-in / one argon2id'.padEnd(46)}${(signIn / argon2).toFixed(2).padStart(12)}`)
}

async function grantOnce(
  services: Services,
  clientId: string,
  key: Awaited<ReturnType<typeof makeAssertionKey>>,
): Promise<void> {
  const { prisma, clientAuthentication, tokens, addresses } = services
  const audience = addresses.token(slug)
  const assertion = await signAssertion({ key, clientId, audience, now: new Date() })
  const practice = await prisma.practice.findUniqueOrThrow({ where: { slug } })
  const credentials = { kind: 'assertion', assertion, clientId: null } as const
  const named = await clientAuthentication.findNamed(practice, credentials)
  const client = await clientAuthentication.authenticate(practice, named, credentials, randomUUID())
  await tokens.issueSystemToken({ practice, client, scope: 'system/*.rs' })
}

/** @returns microseconds of one, the median of five runs */
async function row(name: string, count: number, work: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < Math.ceil(count / 10); index++) await work()
  const runs: number[] = []
  for (let run = 0; run < 5; run++) {
    const started = performance.now()
    for (let index = 0; index < count / 5; index++) await work()
    runs.push(((performance.now() - started) * 1000) / (count / 5))
  }
  const micros = runs.sort((a, b) => a - b)[2] ?? Number.NaN
  console.log(`${name.padEnd(46)}${micros.toFixed(1).padStart(12)} µs`)
  return micros
}
