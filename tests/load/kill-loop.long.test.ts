import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFailed, onTestFinished } from 'vitest'
import { createAgreementTexts } from '../../server/domain/agreements/agreement-texts.ts'
import { createInstallation, type Installation } from './installation.ts'
import { type Developer, type SentForm, sendKeyForm, settleDevelopers } from './key-form.ts'

const DEVELOPERS = 60
/** What an organization may have at a time. */
const FORMS_EACH = 3
const SENDERS = 4
/** Mails that one process sends at the same time. */
const JOBS_AT_ONCE = 4
/** After so many further answers, the next kill. */
const ANSWERS_BETWEEN_KILLS = 20
/** On a machine that is busy with something else: what is proven here is that nothing is lost, not how soon. */
const PATIENCE_MS = 300_000
const KILLS = ['Node', 'Node', 'Node', 'PostgreSQL', 'PostgreSQL', 'PostgreSQL'] as const

let installation: Installation
let developers: Developer[]

beforeAll(async () => {
  installation = await createInstallation({ TRUSTED_PROXY_CIDRS: '127.0.0.1/32' })
  await installation.start()
  developers = await settleDevelopers(installation, DEVELOPERS)
})

afterAll(() => installation.remove())

it('every answered key request survives kills of Node and PostgreSQL, and every mail goes out, once', {
  timeout: 1_200_000,
}, async () => {
  onTestFailed(() => {
    const lines = installation.log().split('\n')
    console.log(
      lines
        .filter((line) => !line.includes('"msg":"request"'))
        .join('\n')
        .slice(-12_000),
    )
  })
  const { answered } = await sendFormsUnderKills()
  const lastStart = Date.now()
  const { ownerUrl } = await installation.urls()
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 1 })
  onTestFinished(() => owner.end())
  const count = async (sql: string) => (await owner.query<{ count: number }>(sql)).rows[0]?.count

  const { rows } = await owner.query<{ key: string }>(
    'SELECT idempotency_key AS key FROM portal.sandbox_key_request',
  )
  const recorded = new Set(rows.map(({ key }) => key))
  expect(answered.filter(({ idempotencyKey }) => !recorded.has(idempotencyKey))).toEqual([])
  expect(rows).toHaveLength(recorded.size)

  await expect
    .poll(
      () => count(`SELECT count(*)::int FROM portal.sandbox_key_request WHERE state <> 'ready_to_claim'`),
      {
        timeout: PATIENCE_MS,
        interval: 500,
      },
    )
    .toBe(0)
  await expect
    .poll(() => count(`SELECT count(*)::int FROM portal.outbox_mail WHERE state <> 'sent'`), {
      timeout: PATIENCE_MS,
      interval: 500,
    })
    .toBe(0)

  const { rows: mails } = await owner.query<{ id: string }>('SELECT message_id AS id FROM portal.outbox_mail')
  const copies = new Map<string, number>()
  for (const { messageId } of installation.mails.all())
    copies.set(messageId, (copies.get(messageId) ?? 0) + 1)
  const missing = mails.filter(({ id }) => !copies.has(id))
  const repeated = [...copies.values()].reduce((sum, each) => sum + each - 1, 0)
  expect(missing).toEqual([])
  // Only where a kill fell between the mail server's answer and the note of it.
  expect(repeated).toBeLessThanOrEqual(KILLS.length * JOBS_AT_ONCE)
  console.log(
    `${answered.length} answered, ${recorded.size} recorded, ${mails.length} mails, ${repeated} sent again after a ` +
      `kill, all sent ${((Date.now() - lastStart) / 1000).toFixed(1)} s after the last start`,
  )
})

it('no process stays when it is stopped', async () => {
  await installation.stop()

  expect(installation.postgresProcesses()).toEqual([])
})

async function sendFormsUnderKills(): Promise<{ answered: SentForm[] }> {
  const terms = createAgreementTexts().get('sandbox-terms')
  const answered: SentForm[] = []
  // Round by round, so that whoever lost an answer sends the next form later.
  const forms = Array.from({ length: FORMS_EACH }, () =>
    developers.map((developer) => ({ developer, idempotencyKey: randomUUID() })),
  ).flat()
  const kills = [...KILLS]
  let up: Promise<void> = Promise.resolve()

  async function killNext(): Promise<void> {
    if (kills.shift() === 'Node') {
      await installation.killNode()
      await installation.start()
    } else {
      await installation.killPostgres()
      await expect.poll(isReady, { timeout: 60_000, interval: 50 }).toBe(true)
    }
  }

  async function send(): Promise<void> {
    for (let form = forms.shift(); form; form = forms.shift()) {
      await up
      if ((await sendKeyForm(installation.origin, form, terms)) === 'answered') answered.push(form)
      const killed = KILLS.length - kills.length
      // The others are in the middle of theirs.
      if (kills.length > 0 && answered.length >= (killed + 1) * ANSWERS_BETWEEN_KILLS) up = killNext()
    }
  }

  await Promise.all(Array.from({ length: SENDERS }, send))
  await up
  expect(kills).toEqual([])
  return { answered }
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(`${installation.origin}/readyz`).catch(() => null)
  return answer?.status === 200
}
