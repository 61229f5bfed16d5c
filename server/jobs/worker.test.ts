import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, runOnce } from 'graphile-worker'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabaseGate } from '../../tests/support/database-gate.ts'
import { mailsTo } from '../../tests/support/mailed.ts'
import { addAccount } from '../../tests/support/people.ts'
import { testServices } from '../../tests/support/services.ts'
import { longTest } from '../../tests/support/slice.ts'
import { startSmtp } from '../../tests/support/smtp.ts'
import { tasks } from './index.ts'
import { toTaskList } from './runner.ts'
import { startWorker, type Worker } from './worker.ts'
import { unlockDeadWorkers } from './worker-lock.ts'

let workers: Worker[] = []
const logLines: string[] = []

const smtp = await startSmtp()
const services = await testServices({ template: 'schema', environment: { SMTP_URL: smtp.url }, logLines })

afterAll(() => smtp.stop())

beforeEach(() => {
  smtp.received.length = 0
  logLines.length = 0
})

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  workers = []
  await services.database.ownerPool.query('DELETE FROM graphile_worker._private_jobs')
})

async function start(): Promise<Worker> {
  const worker = await startWorker(services)
  workers.push(worker)
  return worker
}

async function writeMail(): Promise<string> {
  const id = randomUUID()
  await services.prisma.$transaction((tx) =>
    services.mail.enqueue(tx, {
      template: 'welcome',
      to: `${id}@samplewood.example`,
      props: { name: 'Robin' },
      id,
    }),
  )
  return id
}

const query = (sql: string, values: unknown[] = []) => services.database.ownerPool.query(sql, values)

/** Locks of this database: how many workers are present. */
async function countPresent(): Promise<number> {
  const { rows } = await query(
    `SELECT count(*)::int AS n FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
  )
  return rows[0].n
}

/** Asks until it is so; the test's own time limit ends it. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20)
}

/** But those of the next minute, which begin at the full one. */
const noJobsLeft = async () =>
  (await query("SELECT 1 FROM graphile_worker.jobs WHERE coalesce(key, '') NOT LIKE 'scheduled:%'"))
    .rowCount === 0

test('a job that only an earlier release knew leaves the queue without work', async () => {
  await query(`SELECT graphile_worker.add_job('make-backup')`)

  await start()

  await until(noJobsLeft)
})

test('a mail written with a change leaves within moments', async () => {
  await start()

  const id = await writeMail()
  await smtp.waitFor(1)
  await until(noJobsLeft)

  expect(await services.prisma.outboxMail.findUniqueOrThrow({ where: { id } })).toMatchObject({
    state: 'sent',
  })
})

test('two workers send twenty mails, each once', async () => {
  await Promise.all([start(), start()])

  const ids: string[] = []
  for (let count = 0; count < 20; count++) ids.push(await writeMail())
  await smtp.waitFor(20)
  await until(noJobsLeft)

  expect(new Set(smtp.received.map(({ messageId }) => messageId))).toEqual(
    new Set(ids.map((id) => `<${id}@portal.example>`)),
  )
  expect(smtp.received).toHaveLength(20)
})

test('a mail leaves while more long jobs run than have places', async () => {
  let running = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const deleteDataset = async () => {
    running += 1
    await released
  }
  const practiceData = { ...services.practiceData, deleteDataset }
  workers.push(await startWorker({ ...services, practiceData }))
  for (let datasetId = 1; datasetId <= 8; datasetId++)
    await query("SELECT graphile_worker.add_job('delete-dataset', $1::json)", [JSON.stringify({ datasetId })])
  await until(async () => running === 3)

  await writeMail()
  await smtp.waitFor(1)

  expect(running).toBe(3)
  release()
  await until(async () => running === 8)
})

test('a job whose end could not be written down is done again by the runner that takes the place of the lost one', async () => {
  // Of the jobs no row goes: the runner cannot write that its job is done, and ends.
  await query(`
    CREATE FUNCTION public.keep_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
    CREATE TRIGGER keep_job BEFORE DELETE ON graphile_worker._private_jobs
      FOR EACH ROW WHEN (OLD.key = 'of-a-lost-runner') EXECUTE FUNCTION public.keep_job()`)
  const mend = () => query('DROP FUNCTION IF EXISTS public.keep_job CASCADE')
  let runs = 0
  const deleteDataset = async () => {
    runs += 1
    if (runs === 2) await mend()
  }
  try {
    workers.push(
      await startWorker({ ...services, practiceData: { ...services.practiceData, deleteDataset } }),
    )
    await query(
      `SELECT graphile_worker.add_job('delete-dataset', '{"datasetId":1}', job_key => 'of-a-lost-runner')`,
    )

    await until(async () => runs === 2)
    await until(noJobsLeft)
    expect(logLines.join('\n')).toContain('the job runner ended; starting another')
  } finally {
    await mend()
  }
})

/** A process that holds a worker's lock and the job, as a worker does while it runs one. */
async function startHolder(workerId: string) {
  const script = `
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: process.argv[1] })
    await client.connect()
    await client.query("SELECT pg_advisory_lock(hashtextextended('sandpiper worker ' || $1, 0))", [process.argv[2]])
    await client.query('UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now(), attempts = 1', [process.argv[2]])
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, services.appUrl, workerId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('the job of a worker killed with -9 is done by the next that starts, and a living one keeps its job', async () => {
  await writeMail()
  const holder = await startHolder('pool-held')
  expect(await unlockDeadWorkers(services.pool, [])).toEqual([])

  holder.kill('SIGKILL')
  await once(holder, 'exit')
  // PostgreSQL notices the closed connection by itself, a moment later.
  await until(async () => (await countPresent()) === 0)
  await start()

  await smtp.waitFor(1)
  await until(noJobsLeft)
  expect(smtp.received).toHaveLength(1)
})

test('a worker holds its lock before it takes a job and frees it when it stops', async () => {
  const worker = await start()
  await until(async () => (await countPresent()) === 2)

  await worker.stop()
  workers = []

  expect(await countPresent()).toBe(0)
})

test('a worker whose connections are cut takes its lock again and goes on', async () => {
  await start()
  await until(async () => (await countPresent()) === 2)

  const cut =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'sandpiper %' AND datname = current_database()"
  // On a cluster of our own the server's role may cut its connections, on a borrowed one its owner may.
  await Promise.any([services.pool.query(cut), query(cut)])
  await writeMail()

  await smtp.waitFor(1)
  await until(async () => (await countPresent()) === 2)
})

longTest(
  'behind a proxy that takes connections and closes them a worker asks seldom, and goes on soon after',
  async () => {
    const gate = await openDatabaseGate(services.appUrl)
    const worker = await startWorker({ ...services, directUrl: gate.url })
    try {
      await until(async () => (await countPresent()) === 2)
      await gate.refuse()
      gate.takeCount()
      await sleep(8_000)
      const attempts = gate.takeCount()
      await gate.open()
      await writeMail()
      const openedAt = performance.now()

      await smtp.waitFor(1)
      await until(async () => (await countPresent()) === 2)
      expect(attempts).toBeLessThan(150)
      expect(performance.now() - openedAt).toBeLessThan(10_000)
    } finally {
      await worker.stop()
      await gate.close()
    }
  },
)

test('asking for a link leads to its mail, and the log holds neither address nor payload', async () => {
  const { email } = await addAccount(services, 'practice')
  await start()

  const context = { ip: '203.0.113.4', userAgent: 'vitest', correlationId: 'corr-9' }
  await services.accounts.requestPasswordReset({ realm: 'practice', email }, context)
  await smtp.waitFor(1)
  await until(noJobsLeft)

  expect(await mailsTo(services, email)).toEqual(['password-reset'])
  const token = /token=([\w-]+)/.exec(smtp.received[0]?.text ?? '')?.[1] ?? ''
  expect(token).toHaveLength(43)
  const log = logLines.join('\n')
  expect(log).not.toContain(email)
  expect(log).not.toContain(token)
})

test('a job that fails says so in the log without what it held, and waits for another attempt', async () => {
  await start()
  await query(`SELECT graphile_worker.add_job('send-mail', '{"id":"robin@samplewood.example"}'::json)`)

  await until(
    async () =>
      (await query('SELECT 1 FROM graphile_worker.jobs WHERE attempts = 1 AND last_error IS NOT NULL'))
        .rowCount === 1,
  )

  await until(async () => logLines.some((line) => line.includes('Failed task')))
  expect(logLines.join('\n')).not.toContain('robin@samplewood.example')
})

test('scheduled jobs begin spread over the minute, one of each', async () => {
  const ticks = tasks.filter(({ every }) => every)
  const minute = '2100-01-01T00:00:00.000Z'
  const payload = JSON.stringify({ _cron: { ts: minute, backfilled: false } })
  const fetchDue = async () => {
    for (const { name } of ticks) await query('SELECT graphile_worker.add_job($1, $2::json)', [name, payload])
    const logger = new Logger(() => () => {})
    await runOnce({
      pgPool: services.database.ownerPool, // like the worker's own, without a limit on a statement's time
      noHandleSignals: true,
      logger,
      taskList: toTaskList(tasks, services),
      preset: { worker: { completeJobBatchDelay: 0 } }, // else it ends before its last job has left the table
    })
  }

  await fetchDue()
  await fetchDue()

  const { rows } = await query('SELECT key, run_at, last_error FROM graphile_worker.jobs ORDER BY run_at')
  expect(rows.filter(({ key, last_error }) => !key || last_error)).toEqual([])
  const seconds = rows.map(({ run_at }) => (run_at.getTime() - Date.parse(minute)) / 1_000)
  expect(seconds).toHaveLength(ticks.length)
  expect([seconds[0], Number(seconds.at(-1)) < 60]).toEqual([0, true])
  const gaps = seconds.slice(1).map((second, index) => second - Number(seconds[index]))
  expect(Math.min(...gaps)).toBeGreaterThan(1)
})

test('every job has a name of its own, and every job that is written has a handler', () => {
  const names = tasks.map(({ name }) => name)

  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(['send-mail', 'send-account-link', 'provision-sandbox-key']))
})
