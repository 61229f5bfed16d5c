/** `npm run seed`: fills the database that the environment names. */
import { parseArgs } from 'node:util'
import type pg from 'pg'
import pino from 'pino'
import { makeReadablePassword } from '../server/auth/readable-password.ts'
import { parseDateInterval } from '../server/contract/fhir/date-interval.ts'
import { type Env, parseEnv } from '../server/env.ts'
import { describeStartFault } from '../server/start/start-fault.ts'
import { checkSchema } from '../server/store/migrations.ts'
import { createPool } from '../server/store/pool.ts'
import { servingUrl } from '../server/store/roles.ts'
import { isSeeded } from './is-seeded.ts'
import type { SeedReport } from './load.ts'
import { defaultSeed, type SeedOptions } from './options.ts'
import { getPractice, practices } from './practices.ts'
import { createProgressBar } from './progress.ts'
import { readDemoPassword, writeSignIns } from './sign-ins-file.ts'

const help = `
npm run seed -- [options]

Fills the database with synthetic practices and people. The same options make the same records, byte for byte.

  --seed NUMBER       other people for another number (${defaultSeed.seed})
  --patients NUMBER   patients of each practice, pinned ones included (${defaultSeed.patients})
  --as-of YYYY-MM-DD  reference date, after which nothing happens (${defaultSeed.asOf})
  --practice SLUG     this practice only; may be given several times
  --jobs NUMBER       threads that make the records (1); the records are the same for any number
  --out DIR           NDJSON files of one practice instead of the database; needs --practice
  --if-empty          leave practices alone that are there already
  --anew              make them again, whatever was written to them since
  --no-history        make no month of made-up history for the demonstration, now or later
  --help              this text

Practices: ${practices.map((practice) => practice.slug).join(', ')}
`

/** More threads than this only cost memory. */
const jobsMax = 32

/** Wrong options: a message for people, no stack. */
class UsageError extends Error {}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === null) {
    process.stdout.write(help)
    return
  }
  if (options.out !== undefined) {
    await writeFiles(options, options.out)
    return
  }
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
  const pool = createPool({ connectionString: appUrl, max: 4, log, applicationName: 'sandpiper seed' })
  try {
    if (options.ifEmpty && (await isComplete(env, pool, slugs))) return
    const report = await seed(pool, { ...options, only: options.only ?? slugs })
    // With only some of the practices there is no place yet for the people who work at the others.
    if (env.demoSignIns && (await isSeeded(pool, { demo: false, slugs })))
      await makeSignIns({ env, appUrl, log, history: options.history })
    process.stdout.write(`${summary(report)}\n`)
  } finally {
    await pool.end()
  }
}

/** @throws UsageError unless just one practice is named. */
async function writeFiles(options: SeedOptions, folder: string): Promise<void> {
  const [slug, ...others] = options.only ?? []
  if (slug === undefined || others.length > 0) throw new UsageError('--out needs one --practice')
  const { writePractice } = await import('./write-files.ts')
  const bar = createProgressBar(process.stderr)
  const written = await writePractice(getPractice(slug), { ...options, onProgress: bar.show }, folder)
  bar.end()
  const { resources, documents } = written
  process.stdout.write(`Seed: ${resources} records and ${documents} documents in ${folder}\n`)
}

type CliOptions = SeedOptions & { readonly out?: string; readonly history: boolean }

function readOptions(args: string[]): CliOptions | null {
  const { values } = parse(args)
  if (values.help) return null
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
    jobs: wholeNumber('--jobs', values.jobs, 1, 1, jobsMax),
    ifEmpty: values['if-empty'] ?? false,
    anew: values.anew ?? false,
    history: !values['no-history'],
    ...(only ? { only } : {}),
    ...(values.out ? { out: values.out } : {}),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        seed: { type: 'string' },
        patients: { type: 'string' },
        'as-of': { type: 'string' },
        practice: { type: 'string', multiple: true },
        jobs: { type: 'string' },
        'if-empty': { type: 'boolean' },
        anew: { type: 'boolean' },
        'no-history': { type: 'boolean' },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}. See npm run seed -- --help`)
  }
}

function wholeNumber(
  option: string,
  text: string | undefined,
  otherwise: number,
  min: number,
  max = 899_999,
): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new UsageError(`${option} ${text} is not a whole number from ${min} to ${max}`)
  }
  return value
}

/** A real installation gets no made-up production practice, which patients and apps would find beside real ones. */
function practicesFor(env: Env): string[] {
  const wanted = env.demoSignIns ? practices : practices.filter(({ purpose }) => purpose !== 'office')
  return wanted.map(({ slug }) => slug)
}

async function isComplete(env: Env, pool: pg.Pool, slugs: string[]): Promise<boolean> {
  if (env.demoSignIns && (await readDemoPassword(env.DATA_DIR)) === null) return false
  return isSeeded(pool, { demo: env.demoSignIns, slugs })
}

/** Loaded only when there is something to do, as the services below: every start comes by here. */
async function seed(pool: pg.Pool, options: SeedOptions): Promise<SeedReport> {
  const [{ seedDatabase }, { PrismaPg }, { PrismaClient }] = await Promise.all([
    import('./load.ts'),
    import('@prisma/adapter-pg'),
    import('../prisma/generated/client/client.ts'),
  ])
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  const bar = createProgressBar(process.stderr)
  const clock = () => new Date()
  try {
    return await seedDatabase({ pool, prisma, clock }, { ...options, onProgress: bar.show })
  } finally {
    bar.end()
    await prisma.$disconnect()
  }
}

type SignInOptions = { env: Env; appUrl: string; log: pino.Logger; history: boolean }

async function makeSignIns({ env, appUrl, log, history }: SignInOptions): Promise<void> {
  const password = (await readDemoPassword(env.DATA_DIR)) ?? makeReadablePassword()
  const [{ createServices }, { proveKeyring }, { seedDemoPeople }, { seedSampleApps }, month] =
    await Promise.all([
      import('../server/services.ts'),
      import('../server/start/keyring-proof.ts'),
      import('./demo.ts'),
      import('./demo-apps.ts'),
      import('./month/month.ts'),
    ])
  const services = createServices({ env, log, appUrl })
  try {
    await proveKeyring(services)
    // Written first: killed in between, the next run brings the accounts to the password that was shown.
    await writeSignIns(env.DATA_DIR, password)
    const isNew = (await services.prisma.account.count({ where: { isDemo: true } })) === 0
    // A demonstration that somebody has begun to use stays as it is.
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

main().catch((error: unknown) => {
  const known = error instanceof UsageError ? error.message : describeStartFault(error)
  process.stderr.write(`${known ?? (error instanceof Error ? error.stack : String(error))}\n`)
  process.exitCode = known === null ? 1 : 2
})
