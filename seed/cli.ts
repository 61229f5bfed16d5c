/** `sandpiper seed`, `npm run seed`: fills the database that the environment names. */
import { parseArgs } from 'node:util'
import type pg from 'pg'
import pino from 'pino'
import { makeReadablePassword } from '../server/auth/random-token.ts'
import { runCommand, UsageError } from '../server/cli/run-command.ts'
import { parseDateInterval } from '../server/contract/fhir/date-interval.ts'
import { type Env, parseEnv } from '../server/env.ts'
import { contentStorageOf } from '../server/start/folders.ts'
import { createPrismaAdapter } from '../server/store/database-client.ts'
import { checkSchema } from '../server/store/migrations.ts'
import { createPool } from '../server/store/pool.ts'
import { patientPool, patientTransactions } from '../server/store/retry.ts'
import { servingUrl } from '../server/store/roles.ts'
import { readDemoPassword, writeSignIns } from './demo-people.ts'
import { isSeeded } from './is-seeded.ts'
import type { SeedReport } from './load.ts'
import { defaultSeed, type SeedOptions } from './options.ts'
import { practices } from './practices.ts'
import { createProgressLine } from './progress.ts'

const numberMax = 899_999

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  const env = parseEnv()
  const appUrl = await servingUrl(env.DATABASE_URL)
  await checkSchema({ appUrl })
  const log = pino({ level: 'error', base: null }, pino.destination(2))
  const slugs = practicesFor(env)
  const refused = options.only?.find((slug) => !slugs.includes(slug))
  if (refused !== undefined)
    throw new UsageError(
      `--practice ${refused} is a production practice with made-up people, for demonstrations only. Set DEMO=1 if this is one.`,
    )
  const pool = createPool({
    connectionString: appUrl,
    max: 4,
    ...patientPool,
    log,
    applicationName: 'sandpiper seed',
  })
  try {
    if (options.ifEmpty && (await isComplete(env, pool, slugs))) return 0
    const report = await seed(pool, env, { ...options, only: options.only ?? slugs })
    // With only some of the practices there is no place yet for the people who work at the others.
    if (env.demoSignIns && (await isSeeded(pool, { demo: false, slugs })))
      await makeSignIns({ env, appUrl, log, history: options.history })
    process.stdout.write(`${summary(report)}\n`)
    return 0
  } finally {
    await pool.end()
  }
}

type CliOptions = SeedOptions & { readonly history: boolean }

function readOptions(args: string[]): CliOptions {
  const { values } = parse(args)
  const asOf = values['as-of'] ?? defaultSeed.asOf
  if (asOf.length !== 10 || parseDateInterval(asOf) === null) {
    throw new UsageError(`--as-of ${asOf} is not a date such as ${defaultSeed.asOf}`)
  }
  if (values.anew && values['if-empty']) throw new UsageError('--anew and --if-empty contradict each other')
  const only = values.practice
  const unknown = only?.find((slug) => !practices.some((practice) => practice.slug === slug))
  if (unknown !== undefined) {
    throw new UsageError(
      `--practice ${unknown} is not one of ${practices.map((each) => each.slug).join(', ')}`,
    )
  }
  return {
    seed: wholeNumber('--seed', values.seed, defaultSeed.seed, 0),
    patients: wholeNumber('--patients', values.patients, defaultSeed.patients, 1),
    asOf,
    ifEmpty: values['if-empty'] ?? false,
    anew: values.anew ?? false,
    history: !values['no-history'],
    only,
  }
}

function parse(args: string[]) {
  return parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      patients: { type: 'string' },
      'as-of': { type: 'string' },
      practice: { type: 'string', multiple: true },
      'if-empty': { type: 'boolean' },
      anew: { type: 'boolean' },
      'no-history': { type: 'boolean' },
    },
  })
}

function wholeNumber(option: string, text: string | undefined, otherwise: number, min: number): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < min || value > numberMax) {
    throw new UsageError(`${option} ${text} is not a whole number from ${min} to ${numberMax}`)
  }
  return value
}

/** A real installation gets no synthetic production practice, which patients and apps would find beside real ones. */
function practicesFor(env: Env): string[] {
  const seeded = env.demoSignIns ? practices : practices.filter(({ purpose }) => purpose !== 'office')
  return seeded.map(({ slug }) => slug)
}

async function isComplete(env: Env, pool: pg.Pool, slugs: string[]): Promise<boolean> {
  if (env.demoSignIns && (await readDemoPassword(env.DATA_DIR)) === null) return false
  return isSeeded(pool, { demo: env.demoSignIns, slugs })
}

/** Imports its modules only if there is something to seed, because every start runs this command. */
async function seed(pool: pg.Pool, env: Env, options: SeedOptions): Promise<SeedReport> {
  const [{ seedDatabase }, { PrismaClient }] = await Promise.all([
    import('./load.ts'),
    import('../prisma/generated/client/client.ts'),
  ])
  const adapter = createPrismaAdapter(pool)
  const prisma = new PrismaClient({ adapter, transactionOptions: patientTransactions })
  const progress = createProgressLine('Sample data', 'records')
  const clock = () => new Date()
  try {
    const contents = contentStorageOf(env)
    return await seedDatabase({ pool, prisma, clock, contents }, { ...options, onProgress: progress.show })
  } finally {
    progress.end()
    await prisma.$disconnect()
  }
}

type SignInOptions = { env: Env; appUrl: string; log: pino.Logger; history: boolean }

async function makeSignIns({ env, appUrl, log, history }: SignInOptions): Promise<void> {
  const password = (await readDemoPassword(env.DATA_DIR)) ?? makeReadablePassword()
  const [{ createServices }, { proveKeyring }, { seedDemoPeople, seedSampleApps }, month] = await Promise.all(
    [
      import('../server/services.ts'),
      import('../server/start/keyring-proof.ts'),
      import('./demo.ts'),
      import('./month/month.ts'),
    ],
  )
  const services = createServices({ env, log, appUrl })
  try {
    await proveKeyring(services)
    // Written first, so that after a kill the next run sets the password that was shown.
    await writeSignIns(env.DATA_DIR, password)
    const isNew = (await services.prisma.account.count({ where: { isDemo: true } })) === 0
    // A demonstration that is already in use gets no history.
    if (!history || !isNew) await month.skipMonth(services, services.clock())
    else await month.beginMonth(services, services.clock())
    await seedDemoPeople(services, password)
    await seedSampleApps(services, env.DATA_DIR)
    if ((await month.readMonth(services)) === 'begun') await month.seedMonth({ env, log, appUrl, password })
  } finally {
    await services.close()
  }
}

function summary({ practices: seeded, unchanged, resources, seconds }: SeedReport): string {
  if (seeded.length === 0) return `Seed: ${unchanged.length} practices were there already`
  const rate = Math.round(resources / seconds).toLocaleString('en-US')
  return `Seed: ${seeded.length} practices, ${resources.toLocaleString('en-US')} records in ${seconds.toFixed(1)} s (${rate}/s)`
}

runCommand(main)
