import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFailed, onTestFinished } from 'vitest'
import { createAgreementTexts } from '../../server/domain/agreements/agreement-texts.ts'
import { createInstallation, type Installation } from './installation.ts'
import { createDevelopers, type Developer, type SentForm, sendKeyForm } from './key-form.ts'

const DEVELOPERS = 60
/** How many keys an organization may have at the same time. */
const FORMS_EACH = 3
const SENDERS = 4
/** How many emails one process sends at the same time. */
const JOBS_AT_ONCE = 4
/** The next kill comes after this many more responses. */
const RESPONSES_BETWEEN_KILLS = 20
/** Long enough for a busy machine: the test proves that nothing is lost, not how soon it is done. */
const patience = { timeout: 300_000, interval: 500 }
const KILLS = ['Node', 'Node', 'Node', 'PostgreSQL', 'PostgreSQL', 'PostgreSQL'] as const

let installation: Installation
let developers: Developer[]

beforeAll(async () => {
  installation = await createInstallation({ TRUSTED_PROXY_CIDRS: '127.0.0.1/32' })
  await installation.start()
  developers = await createDevelopers(installation, DEVELOPERS)
})

afterAll(() => installation.remove())

it('every answered key request survives kills of Node and PostgreSQL, and every email is sent once', {
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

  const unclaimable = `SELECT count(*)::int FROM portal.sandbox_key_request WHERE state <> 'ready_to_claim'`
  await expect.poll(() => count(unclaimable), patience).toBe(0)
  const unsent = `SELECT count(*)::int FROM portal.outbox_mail WHERE state <> 'sent'`
  await expect.poll(() => count(unsent), patience).toBe(0)

  const { rows: mails } = await owner.query<{ id: string }>('SELECT message_id AS id FROM portal.outbox_mail')
  const copies = new Map<string, number>()
  for (const { messageId } of installation.mails.all())
    copies.set(messageId, (copies.get(messageId) ?? 0) + 1)
  const missing = mails.filter(({ id }) => !copies.has(id))
  const repeated = [...copies.values()].reduce((sum, each) => sum + each - 1, 0)
  expect(missing).toEqual([])
  // An email is sent again only if the kill came after the mail server accepted it and before that was recorded.
  expect(repeated).toBeLessThanOrEqual(KILLS.length * JOBS_AT_ONCE)
  console.log(
    `${answered.length} answered, ${recorded.size} recorded, ${mails.length} mails, ${repeated} sent again after a ` +
      `kill, all sent ${((Date.now() - lastStart) / 1000).toFixed(1)} s after the last start`,
  )
})

it('no process remains after a stop', async () => {
  await installation.stop()

  expect(installation.postgresProcesses()).toEqual([])
})

async function sendFormsUnderKills(): Promise<{ answered: SentForm[] }> {
  const terms = createAgreementTexts().get('sandbox-terms')
  const answered: SentForm[] = []
  // Round by round, so that a developer whose response was lost sends the next form later.
  const forms = Array.from({ length: FORMS_EACH }, () =>
    developers.map((developer) => ({ developer, idempotencyKey: randomUUID() })),
  ).flat()
  const kills = [...KILLS]
  let serverUp: Promise<void> = Promise.resolve()

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
      await serverUp
      if ((await sendKeyForm(installation.origin, form, terms)) === 'answered') answered.push(form)
      const killed = KILLS.length - kills.length
      // The kill comes while the other senders are in the middle of a request.
      if (kills.length > 0 && answered.length >= (killed + 1) * RESPONSES_BETWEEN_KILLS) serverUp = killNext()
    }
  }

  await Promise.all(Array.from({ length: SENDERS }, send))
  await serverUp
  expect(kills).toEqual([])
  return { answered }
}

async function isReady(): Promise<boolean> {
  const response = await fetch(`${installation.origin}/readyz`).catch(() => null)
  return response?.status === 200
}
