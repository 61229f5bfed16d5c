/** The accounting of disclosures of a month equals what the requests of the month were answered. */
import { createHash, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Disclosure } from '../../server/domain/disclosures/accounting.ts'
import { bulkStack } from '../support/bulk.ts'
import { entriesOf } from '../support/fhir.ts'
import { addDeveloper, addPracticePerson } from '../support/journey-people.ts'
import { callTool } from '../support/mcp.ts'
import { type IssuedKey, restStack } from '../support/rest.ts'
import { smartSupport } from '../support/smart.ts'

const people = ['pt-wren-testwell', 'pt-zoe-munoz'] as const
const purposes = ['treatment', 'payment', 'public_health', 'patient_request'] as const
const purposeWords = {
  treatment: 'Treating the patient.',
  payment: 'Billing and payment.',
  public_health: 'Public health reporting.',
  patient_request: 'Requested by the patient.',
  operations: 'Running the practice.',
}
const demographics = 'Demographics: name, identifiers, birth date, address, contact'
const hour = 3_600_000

/** What the answers said, written down by the test alone. */
type Seen = { patient: string; who: string; what: string; purpose: string; at: Date }
const seen: Seen[] = []

const bulk = await bulkStack()
const rest = await restStack({ services: bulk.services })
const keys = [await rest.issueKey(), await rest.issueKey()]
const expiresAt = new Date(bulk.services.clock().getTime() + 90 * 24 * hour)
const backend = await bulk.issueToken({ audience: 'backend', expiresAt })
const clinician = await bulk.issueToken({ audience: 'clinician', expiresAt })
const practiceId = keys[0]?.practiceId ?? ''
const admin = (await addPracticePerson(bulk.services.database.ownerPool, 'admin')).accountId

const actorOf = (accountId: string) => ({
  accountId,
  ip: '192.0.2.1',
  userAgent: 'test',
  correlationId: randomUUID(),
  sessionId: randomUUID(),
  authenticatedAt: bulk.services.clock(),
})

const today = () => bulk.services.calendar.dateOf(bulk.services.clock())

function account(patientId: string, options: { from: string; to?: string; all?: boolean; who?: string }) {
  const { from, to = today(), all = true, who = admin } = options
  return bulk.services.disclosures.account({ practiceId, patientId, from, to, all }, actorOf(who))
}

/** The same numbers each time. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Sent = { random: (below: number) => number; patient: string; at: Date }
type Noted = Omit<Seen, 'at'>

/** One request by a key, with a purpose. */
async function byKey(
  { random }: Sent,
  what: string,
  send: (key: IssuedKey, headers: Record<string, string>) => Promise<readonly string[]>,
): Promise<Noted[]> {
  const key = keys[random(keys.length)] as IssuedKey
  const purpose = purposes[random(purposes.length)] as (typeof purposes)[number]
  const patients = await send(key, { 'x-purpose': purpose })
  const who = `key ${key.prefix}`
  return patients.map((patient) => ({ patient, who, what, purpose: purposeWords[purpose] }))
}

const requests: ((sent: Sent) => Promise<Noted[]>)[] = [
  (sent) =>
    byKey(sent, demographics, async ({ key }, headers) => {
      const { body } = await rest.call(`/patients/${sent.patient}`, { key, headers })
      return [body.id]
    }),
  (sent) =>
    byKey(sent, demographics, async ({ key }, headers) => {
      const { body } = await rest.call(`/patients?limit=${1 + sent.random(40)}`, { key, headers })
      return body.data.map(({ id }: { id: string }) => id)
    }),
  (sent) =>
    byKey(sent, 'Clinical summary (CCD)', async ({ key }, headers) => {
      const answer = await rest.call(`/patients/${sent.patient}/ccda`, { key, headers })
      return answer.status === 200 ? [sent.patient] : []
    }),
  (sent) =>
    byKey(sent, demographics, async ({ key }, headers) => {
      const { result } = await callTool(rest, 'search_patients', { limit: 10 }, { key, headers })
      return result.structuredContent.data.map(({ id }: { id: string }) => id)
    }),
  (sent) =>
    byKey(sent, 'Conditions', async ({ key }, headers) => {
      const args = { patientId: sent.patient }
      const { result } = await callTool(rest, 'list_conditions', args, { key, headers })
      return result.structuredContent.data.length > 0 ? [sent.patient] : []
    }),
  // Refused, or about nobody: no disclosure.
  async () => {
    const [{ key }] = keys as [IssuedKey]
    expect((await rest.call('/patients/nobody', { key })).status).toBe(404)
    expect((await rest.call('/practitioners', { key })).status).toBe(200)
    return []
  },
  async ({ patient }) => {
    const { token, clientId } = clinician
    const found = await bulk.call(`Observation?patient=${patient}&_count=5`, { token })
    const what = 'Test results and measurements'
    return entriesOf(found).length > 0
      ? [{ patient, who: clientId, what, purpose: purposeWords.treatment }]
      : []
  },
  // A total says that such records exist.
  async ({ patient }) => {
    const { token, clientId } = clinician
    const found = await bulk.call(`Condition?patient=${patient}&_count=0`, { token })
    return found.body.total > 0
      ? [{ patient, who: clientId, what: 'Conditions', purpose: purposeWords.treatment }]
      : []
  },
  async ({ patient }) => {
    const { token, clientId } = clinician
    const found = await bulk.call(`Patient/${patient}/$everything?_count=5`, { token })
    expect(found.status).toBe(200)
    return [{ patient, who: clientId, what: 'Whole chart', purpose: purposeWords.treatment }]
  },
]

/** Every file of an export: the patients are read from its lines. */
async function runExport(types: readonly [string, string][]): Promise<void> {
  const { token, clientId } = backend
  const done = await bulk.run(token, `?_type=${types.map(([type]) => type).join(',')}`)
  for (const [type, words] of types) {
    const lines = await bulk.lines(done, type, token)
    const ids = lines.map((line) => {
      const { id, subject, patient } = JSON.parse(line)
      return type === 'Patient' ? id : (subject ?? patient).reference.replace('Patient/', '')
    })
    const at = bulk.services.clock()
    for (const patient of new Set<string>(ids))
      seen.push({
        patient,
        who: clientId,
        what: `Bulk export: ${words}`,
        purpose: purposeWords.operations,
        at,
      })
  }
}

function expected(patient: string, within: (at: Date) => boolean) {
  const groups = new Map<string, { count: number; firstAt: Date; lastAt: Date }>()
  for (const { at, ...each } of seen.filter((one) => one.patient === patient && within(one.at))) {
    const key = `${each.who} · ${each.what} · ${each.purpose}`
    const known = groups.get(key)
    groups.set(key, { count: (known?.count ?? 0) + 1, firstAt: known?.firstAt ?? at, lastAt: at })
  }
  return Object.fromEntries([...groups].sort())
}

/** Apps by the name that the test's apps have, keys by their prefix. */
async function found(disclosures: readonly Disclosure[]) {
  const clients = await bulk.services.prisma.client.findMany({ select: { id: true, name: true } })
  const rows = disclosures.map(({ recipient, what, purpose, count, firstAt, lastAt }) => {
    const key = /\((key .*)\)$/.exec(recipient.through ?? '')?.[1]
    const who = key ?? clients.find(({ name }) => name === recipient.through)?.id
    return [`${who} · ${what} · ${purpose}`, { count, firstAt, lastAt }] as const
  })
  return Object.fromEntries([...rows].sort())
}

describe('the accounting of a month', () => {
  let begin: string

  beforeAll(async () => {
    const random = createRandom(20_261_124)
    bulk.services.advance(24 * hour)
    begin = today()
    for (let sent = 0; sent < 48; sent++) {
      bulk.services.advance((1 + random(20)) * hour)
      const at = bulk.services.clock()
      const patient = people[random(people.length)] as string
      const send = requests[sent % requests.length] as (typeof requests)[number]
      for (const noted of await send({ random, patient, at })) seen.push({ ...noted, at })
    }
    await runExport([
      ['Patient', demographics],
      ['Condition', 'Conditions'],
    ])
  })

  test.each(people)('equals the answers, request by request: %s', async (patient) => {
    const { disclosures } = await account(patient, { from: begin })

    expect(await found(disclosures)).toEqual(expected(patient, () => true))
    expect(disclosures.length).toBeGreaterThan(12)
  })

  test('leaves out what the rule excepts, and says how much', async () => {
    const { disclosures, leftOut } = await account(people[0], { from: begin, all: false })
    const own = seen.filter(({ patient }) => patient === people[0])
    const listed = own.filter(({ purpose }) => purpose === purposeWords.public_health)
    const asked = own.filter(({ purpose }) => purpose === purposeWords.patient_request)

    expect(disclosures.reduce((sum, { count }) => sum + count, 0)).toBe(listed.length)
    expect(disclosures.every(({ purpose }) => purpose === purposeWords.public_health)).toBe(true)
    expect(leftOut).toEqual({
      care: own.length - listed.length - asked.length,
      individual: asked.length,
      authorization: 0,
    })
  })

  test('begins and ends at midnight of the office’s zone', async () => {
    const { calendar } = bulk.services
    const day = calendar.dateOf((seen[Math.floor(seen.length / 2)] as Seen).at)
    const { disclosures } = await account(people[0], { from: day, to: day })

    expect(await found(disclosures)).toEqual(expected(people[0], (at) => calendar.dateOf(at) === day))
  })

  test('is for the practice’s admins alone, and for its own patients', async () => {
    const stranger = await addDeveloper(bulk.services.database.ownerPool)

    await expect(account(people[0], { from: begin, who: stranger.accountId })).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(account('pt-nobody', { from: begin })).rejects.toMatchObject({ kind: 'not_found' })
    await expect(account(people[0], { from: '2026-02-30' })).rejects.toMatchObject({ field: 'from' })
    await expect(account(people[0], { from: '2019-01-01' })).rejects.toMatchObject({ field: 'from' })
    await expect(account(people[0], { from: today(), to: '2020-01-01' })).rejects.toMatchObject({
      field: 'to',
    })
  })

  test('is handed out as PDF and CSV whose hashes are in the chain', async () => {
    const { services } = bulk
    const input = { practiceId, patientId: people[1], from: begin, to: today(), all: true } as const
    const files = await Promise.all(
      (['pdf', 'csv'] as const).map((format) =>
        services.disclosures.issue({ ...input, format }, actorOf(admin)),
      ),
    )
    await services.sealer.seal()
    const text = new TextDecoder().decode(files[1]?.bytes)

    expect(new TextDecoder('latin1').decode(files[0]?.bytes.slice(0, 5))).toBe('%PDF-')
    expect(text).toContain('Zoë')
    for (const { bytes } of files) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(await services.agreements.verify(sha256, { ip: '192.0.2.1' })).toMatchObject({
        kind: 'accounting',
        chainNumber: expect.stringMatching(/^\d+$/),
      })
    }
    expect(await services.agreements.verify(new Uint8Array([1]), { ip: '192.0.2.1' })).toMatchObject({
      kind: 'unknown',
    })
  })
})

test('a fresh organization finds its own key, its own patient and every letter of their names in its own practice’s accounting', async () => {
  const { services } = bulk
  const { ownerPool } = services.database
  const writer = await rest.issueWriter()
  const { organizationId } = await services.prisma.practice.findUniqueOrThrow({
    where: { id: writer.practiceId },
  })
  await ownerPool.query(`UPDATE portal.organization SET name = '=1+1 試験' WHERE id = $1`, [organizationId])
  await ownerPool.query('UPDATE portal.api_key SET organization_id = $2 WHERE id = $1', [
    writer.id,
    organizationId,
  ])
  const made = await rest.post(
    '/patients',
    { name: { family: 'Ødegård', given: ['試験'] }, birthDate: '1980-01-01', sex: 'female' },
    { key: writer.key },
  )
  const { id } = made.body
  await rest.call(`/patients/${id}`, { key: writer.key, headers: { 'x-purpose': 'public_health' } })
  const input = { practiceId: writer.practiceId, patientId: id, from: today(), to: today(), all: false }
  const actor = await smartSupport(services).createAdmin(writer.practiceId)

  const both = await Promise.all(
    (['csv', 'csv'] as const).map((format) => services.disclosures.issue({ ...input, format }, actor)),
  )
  const search = { practiceId: writer.practiceId, text: 'Ødegård' }
  const listed = await services.disclosures.findPatients(search, actor)

  for (const { bytes } of both) {
    const text = new TextDecoder().decode(bytes)
    expect(text).toContain('試験 Ødegård')
    expect(text).toContain(`"'=1+1 試験",Test key (key ${writer.prefix}),`)
    expect(text.match(/Public health reporting/g)).toHaveLength(1)
  }
  expect(listed).toMatchObject([{ id, name: '試験 Ødegård', birthDate: '1980-01-01' }])
  await expect(account(id, { from: today() })).rejects.toMatchObject({ kind: 'not_found' })
  await expect(services.disclosures.findPatients(search, actorOf(admin))).rejects.toMatchObject({
    kind: 'not_found',
  })

  // The right to an accounting outlives the chart.
  await services.store.deletePatient(writer.datasetId, id)
  expect(await services.disclosures.account(input, actor)).toMatchObject({
    patient: { id, name: null },
    disclosures: [{ count: 1, what: demographics }],
  })
})

test('a changed, removed or added row of the record of access is found', async () => {
  const { accessSeal, database } = bulk.services
  const { ownerPool } = database
  await Promise.all([accessSeal.sealAccess(), accessSeal.sealAccess()])
  const good = await accessSeal.verifyAccess()
  expect(good).toMatchObject({ intact: true })

  const { rows } = await ownerPool.query(
    `SELECT id, purpose FROM log.phi_audit WHERE patient_ids IS NOT NULL ORDER BY id LIMIT 1`,
  )
  await ownerPool.query(`UPDATE log.phi_audit SET patient_ids = patient_ids[2:] WHERE id = $1`, [rows[0].id])
  expect(await accessSeal.verifyAccess()).toMatchObject({
    intact: false,
    reason: expect.stringMatching(/changed/),
  })
  await ownerPool.query('DELETE FROM log.phi_audit WHERE id = $1', [rows[0].id])
  expect(await accessSeal.verifyAccess()).toMatchObject({
    intact: false,
    reason: expect.stringMatching(/rows/),
  })
})
