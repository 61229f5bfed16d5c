/** Work for the worker under load: exports with their files, and key requests with their emails; and a ledger of both. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createAgreementTexts } from '../../server/domain/agreements/agreement-texts.ts'
import { runExports } from '../../tests/load/export-runs.ts'
import { createDeveloper, type Developer, sendKeyForm } from '../../tests/load/key-form.ts'
import type { Installation } from './installation.ts'
import { inTime, retry } from './load.ts'
import type { Step } from './report.ts'

const developerCount = 60
/** How many keys an organization may have at a time. */
const formsEach = 3
const formPauseMs = 5_000
/** How many emails a worker sends at the same time: so many may be sent again after each kill. */
const emailsAtOnce = 4
const patienceMs = 240_000

type Jobs = { stop: (step: Step, kills: number) => Promise<void> }

export async function startJobs({ services, origin, ownerUrl, parts }: Installation): Promise<Jobs> {
  const startedAt = services.clock()
  const work = { over: false }
  const developers = await settleDevelopers()
  const exports = runExports(services, origin, work)
  const forms = sendForms(developers)
  // Their errors come up when they are stopped.
  for (const each of [exports, forms]) each.catch(() => {})

  async function settleDevelopers(): Promise<Developer[]> {
    const owner = new pg.Pool({ connectionString: ownerUrl(), max: 1 })
    const developers: Developer[] = []
    for (let index = 0; index < developerCount; index++)
      developers.push(await retry(() => createDeveloper(services, owner, index)))
    await owner.end()
    return developers
  }

  async function sendForms(developers: readonly Developer[]): Promise<string[]> {
    const terms = createAgreementTexts().get('sandbox-terms')
    const acknowledged: string[] = []
    for (const developer of Array.from({ length: formsEach }, () => developers).flat()) {
      if (work.over) break
      const idempotencyKey = randomUUID()
      while ((await sendKeyForm(origin, { developer, idempotencyKey }, terms)) !== 'answered')
        await sleep(300)
      acknowledged.push(idempotencyKey)
      await sleep(formPauseMs)
    }
    return acknowledged
  }

  async function promiseExports({ note, promise }: Step): Promise<void> {
    const finished = await inTime('an export', exports)
    const whole = finished.filter(
      ({ patients, errors }) => errors === 0 && patients > 0 && patients === finished[0]?.patients,
    )
    note(`${finished.length} exports were accepted, and their files read`)
    promise(`${whole.length} of ${finished.length} exports are whole`, whole.length === finished.length)
  }

  async function promiseForms({ promise }: Step, kills: number): Promise<void> {
    const acknowledged = await inTime('a key request', forms)
    const { prisma } = services
    const since = { createdAt: { gte: startedAt } }
    const until = performance.now() + patienceMs
    const isOpen = async () =>
      (await prisma.outboxMail.count({ where: { ...since, state: { not: 'sent' } } })) > 0 ||
      (await prisma.sandboxKeyRequest.count({ where: { ...since, state: { not: 'ready_to_claim' } } })) > 0
    while ((await isOpen()) && performance.now() < until) await sleep(500)

    const requests = await prisma.sandboxKeyRequest.findMany({ where: since })
    const written = await prisma.outboxMail.findMany({ where: since })
    const ready = new Set(
      requests.filter(({ state }) => state === 'ready_to_claim').map((each) => each.idempotencyKey),
    )
    const ids = new Set(written.map(({ messageId }) => messageId))
    const arrived = parts.mails.all().filter(({ messageId }) => ids.has(messageId))
    const again = arrived.length - new Set(arrived.map(({ messageId }) => messageId)).size
    promise(
      `of ${acknowledged.length} acknowledged key requests ${acknowledged.filter((key) => !ready.has(key)).length} are lost and ${requests.length - acknowledged.length} doubled`,
      requests.length === acknowledged.length && acknowledged.every((key) => ready.has(key)),
    )
    promise(
      `of ${written.length} emails ${written.length - (arrived.length - again)} are lost; ${again} were sent again after a kill, with the same Message-ID`,
      arrived.length - again === written.length && again <= kills * emailsAtOnce,
    )
  }

  return {
    async stop(step, kills) {
      work.over = true
      await promiseExports(step)
      await promiseForms(step, kills)
    },
  }
}
