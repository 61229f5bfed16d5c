import { randomUUID } from 'node:crypto'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import type { Actor } from '../actor.ts'
import { type Verb, type WithCore, withCore } from '../core.ts'
import type { AgreementChanged, AgreementListener } from './agreement-types.ts'
import * as verbs from './agreements.ts'
import { sha256Of } from './render-agreement.ts'

let parties: Parties
const heard: AgreementChanged[] = []
const verify = (sha256: string) => services.agreements.verify(sha256, { ip: '203.0.113.9' })
const support = agreementSupport(
  () => services,
  () => desk,
)
const { offerBaa, offerUsage, sign, signature, stateOf } = support

const services = await testServices({ template: 'schema' })
const hear: Verb<AgreementListener> = async (_core, _tx, event) => void heard.push(event)
const agreementListeners = [...services.core.agreementListeners, hear]
const desk: WithCore<typeof verbs> = withCore({ ...services.core, agreementListeners }, verbs)
parties = await support.makeParties()

const changesOf = (id: string) =>
  heard.filter(({ agreementId }) => agreementId === id).map(({ change }) => change)
const mailsOf = async (id: string) =>
  (await services.prisma.outboxMail.findMany({ where: { threadId: id }, orderBy: { id: 'asc' } })).map(
    ({ template, toAddress }) => `${template} ${toAddress}`,
  )

async function textOf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
  return text.replace(/\s+/g, ' ')
}

describe('a BAA', () => {
  test('is executed by both signatures in any order, and its file verifies by its hash alone', async () => {
    const { prisma } = services
    const agreements = desk
    const id = await offerBaa(parties)
    expect((await mailsOf(id)).sort()).toEqual(
      [`agreement-offered ${parties.owner.email}`, `agreement-offered ${parties.signatory.email}`].sort(),
    )

    expect(await sign(id, parties.signatory)).toEqual({ kind: 'signed', executed: false })
    expect(await stateOf(id)).toBe('partially_signed')
    expect(await sign(id, parties.owner)).toEqual({ kind: 'signed', executed: true })

    expect(await stateOf(id)).toBe('executed')
    expect(changesOf(id)).toEqual(['signed', 'executed'])
    const file = await agreements.readFile(id, 'executed', parties.admin.fresh())
    expect(sha256Of(file.bytes)).toBe(file.sha256)
    expect(await verify(file.sha256)).toMatchObject({ kind: 'executed', inForce: true })
    const [first, ...rest] = file.bytes
    const changed = Uint8Array.of((first ?? 0) ^ 1, ...rest)
    expect(await verify(sha256Of(changed))).toMatchObject({ kind: 'unknown' })
    expect(Object.keys(await verify(file.sha256)).sort()).toEqual(
      ['effectiveAt', 'endsAt', 'executedAt', 'inForce', 'kind', 'sha256'].sort(),
    )

    const text = await textOf(file.bytes)
    const { sha256 } = await prisma.agreementVersion.findFirstOrThrow({ where: { agreementId: id } })
    for (const said of [
      'Zoë Šťastná',
      'Samplewood Health Apps, LLC',
      'within 48 hours of discovery',
      'Certificate of signatures',
      'SHA-256 of the signed file',
      '203.0.113.9',
      '90 seconds earlier',
    ])
      expect(text).toContain(said)
    expect(text.replace(/ /g, '')).toContain(sha256)
  })

  test('keeps the evidence of each signature', async () => {
    const id = await offerBaa(await support.makeParties().then((made) => (parties = made)))
    await sign(id, parties.owner)

    const { at, sha256, ...kept } = await services.prisma.agreementSignature.findFirstOrThrow({
      where: { agreementId: id },
    })
    expect(kept).toMatchObject({
      side: 'developer',
      accountId: parties.owner.accountId,
      legalName: 'Robin Testwell',
      title: 'Signs for us',
      authority: expect.stringContaining('authorized to bind'),
      consent: expect.stringContaining('sign electronically'),
      ip: '203.0.113.9',
      userAgent: 'vitest',
      authenticatedAgo: 90,
    })
    expect(at).toEqual(services.clock())
    const { bytes } = await desk.readFile(id, 1, parties.owner.fresh())
    expect(sha256Of(bytes)).toBe(sha256)
  })

  test('is signed by the named people only, who are told of by a masked address', async () => {
    const id = await offerBaa(await support.makeParties().then((made) => (parties = made)))
    const form = await signature(id, parties.signatory)
    const asAdmin = desk.sign(form, parties.admin.fresh())
    const stranger = await support.makePerson()
    const old = {
      ...parties.signatory.fresh(),
      authenticatedAt: new Date(services.clock().getTime() - 601_000),
    }

    await expect(asAdmin).rejects.toMatchObject({
      kind: 'forbidden',
      message: expect.stringMatching(/^.…@o…\.example must sign this\./),
    })
    expect(await kindOfProblem(desk.sign(form, stranger.actor))).toBe('not_found')
    await expect(desk.sign(form, old)).rejects.toMatchObject({
      kind: 'forbidden',
      field: 'stepUp',
    })
    const misnamed = { ...form, legalName: 'Avery Sample' }
    await expect(desk.sign(misnamed, parties.signatory.fresh())).rejects.toMatchObject({
      kind: 'validation',
      field: 'legalName',
    })
    expect(await services.prisma.agreementSignature.count({ where: { agreementId: id } })).toBe(0)
  })

  test('of two who sign at once one wins and the other sees it; the same form twice is one signature', async () => {
    const id = await offerBaa(await support.makeParties().then((made) => (parties = made)))
    const forms = await Promise.all([signature(id, parties.owner), signature(id, parties.signatory)])
    const outcomes = await Promise.all([
      kindOfProblem(desk.sign(forms[0], parties.owner.fresh())),
      kindOfProblem(desk.sign(forms[1], parties.signatory.fresh())),
    ])
    expect(outcomes.sort()).toEqual(['conflict', 'none'])

    const [signed] = await services.prisma.agreementSignature.findMany({ where: { agreementId: id } })
    const [mine, they] =
      signed?.side === 'developer' ? [parties.owner, parties.signatory] : [parties.signatory, parties.owner]
    const form = signed?.side === 'developer' ? forms[0] : forms[1]
    expect(await desk.sign(form, mine.fresh())).toEqual({ kind: 'signed', executed: false })
    expect(await kindOfProblem(sign(id, mine))).toBe('conflict')
    expect(await sign(id, they)).toEqual({ kind: 'signed', executed: true })
    expect(await services.prisma.agreementSignature.count({ where: { agreementId: id } })).toBe(2)
  })

  test('whose version changed while it was read is not signed, and a rejected version never', async () => {
    const id = await offerBaa(await support.makeParties().then((made) => (parties = made)))
    await sign(id, parties.owner)
    const read = await signature(id, parties.signatory)
    await desk.edit(
      {
        ...(await support.target(id)),
        comment: 'Please tell us of a breach within a day.',
        fields: support.completeBaa({ breachNoticeHours: 24 }),
      },
      parties.admin.fresh(),
    )
    expect(await stateOf(id)).toBe('negotiation')
    const { version } = await support.target(id)

    expect(await desk.sign({ ...read, version }, parties.signatory.fresh())).toMatchObject({
      kind: 'changed',
    })
    expect(await sign(id, parties.signatory)).toEqual({ kind: 'signed', executed: false })
    await desk.reject(
      { ...(await support.target(id)), comment: 'Within 24 hours we cannot know enough.' },
      parties.owner.fresh(),
    )
    expect(await kindOfProblem(sign(id, parties.owner))).toBe('conflict')
    expect(changesOf(id)).toEqual(['signed', 'renegotiated', 'signed', 'renegotiated'])
  })

  test('with stored bytes that changed is refused, and offered anew; an upload is void', async () => {
    const id = await offerBaa(await support.makeParties().then((made) => (parties = made)))
    await sign(id, parties.owner)
    await tamper(id)

    const outcome = await sign(id, parties.signatory)
    expect(outcome).toMatchObject({ kind: 'changed', message: expect.stringContaining('new version') })
    expect(await stateOf(id)).toBe('offered')
    expect((await support.target(id)).number).toBe(2)
    await sign(id, parties.signatory)
    expect(await sign(id, parties.owner)).toEqual({ kind: 'signed', executed: true })

    const uploaded = await offerBaa(await support.makeParties().then((made) => (parties = made)))
    await support.upload(uploaded, parties)
    await tamper(uploaded)
    expect(await sign(uploaded, parties.owner)).toMatchObject({ kind: 'changed' })
    expect(await stateOf(uploaded)).toBe('void')
    expect(changesOf(uploaded)).toEqual(['renegotiated', 'voided'])
  })

  test('of another’s making is kept as it was signed, inside the executed file', async () => {
    const id = await offerBaa(await support.makeParties().then((made) => (parties = made)))
    await support.upload(id, parties)
    const { bytes } = await desk.readFile(id, 2, parties.owner.fresh())
    await sign(id, parties.owner)
    await sign(id, parties.signatory)

    const file = await desk.readFile(id, 'executed', parties.owner.fresh())
    const text = await textOf(file.bytes)
    expect(text).toContain('A party uploaded the signed document')
    expect(text).toContain('Returns or destroys all data at the end')
    expect(text).toContain('Where: Section 4, page 2')
    const pdf = await getDocumentProxy(new Uint8Array(file.bytes))
    const attached = Object.values((await pdf.getAttachments()) as Record<string, { content: Uint8Array }>)
    expect(attached.map(({ content }) => sha256Of(content))).toEqual([sha256Of(bytes)])
    expect(await verify(sha256Of(bytes))).toMatchObject({ kind: 'executed' })
  })

  /** As somebody with the owner's rights in the database could. */
  async function tamper(id: string): Promise<void> {
    const { ownerPool } = services.database
    await ownerPool.query('ALTER TABLE portal.agreement_version DISABLE TRIGGER written_once')
    await ownerPool.query(
      `UPDATE portal.agreement_version SET bytes = bytes || '\\x20' WHERE agreement_id = $1`,
      [id],
    )
    await ownerPool.query('ALTER TABLE portal.agreement_version ENABLE TRIGGER written_once')
  }
})

describe('a usage agreement', () => {
  test('is counter-signed by policy at once, and accepts the usage policy by version and hash', async () => {
    const made = await support.makeParties()
    const id = await offerUsage(made)

    expect(await sign(id, made.owner)).toEqual({ kind: 'signed', executed: true })
    expect(changesOf(id)).toEqual(['signed', 'executed'])
    const policy = services.agreementTexts.get('usage-policy')
    const cover = {
      organizationId: made.organizationId,
      practiceId: made.practiceId,
      level: 'read_only' as const,
      dataClasses: ['visits'],
      purposes: ['treatment'],
      now: services.clock(),
    }
    const inForce = await services.agreements.inForce(services.prisma, cover)
    expect(inForce).toMatchObject({
      usageAgreement: { agreementId: id, version: '1.0' },
      usagePolicy: { version: policy.version, sha256: policy.sha256 },
      baa: null,
    })
    const { bytes } = await desk.readFile(id, 'executed', made.owner.fresh())
    const text = await textOf(bytes)
    expect(text).toContain('10 percent of the profit')
    expect(text).toContain('The service, under its policy')

    const baa = await support.executedBaa(made)
    const found = await services.agreements.inForce(services.prisma, cover)
    expect(found.baa).toMatchObject({ agreementId: baa, version: '1.2' })
    for (const more of [{ level: 'full' as const }, { dataClasses: ['notes'] }, { purposes: ['payment'] }])
      expect((await services.agreements.inForce(services.prisma, { ...cover, ...more })).baa).toBeNull()
  })

  test('is never offered twice at once, and of one that is open the next request gets the same', async () => {
    const made = await support.makeParties()
    const ids = await Promise.all([offerUsage(made), offerUsage(made), offerUsage(made)])

    expect(new Set(ids).size).toBe(1)
    expect(await services.prisma.agreement.count({ where: { organizationId: made.organizationId } })).toBe(1)
  })

  test('is not offered to somebody who may not sign, nor to the wrong side', async () => {
    const made = await support.makeParties()
    const guest = await support.addMember(made.organizationId, 'admin')
    const owner = { ...made.owner, accountId: guest.accountId }
    await expect(offerUsage({ ...made, owner })).rejects.toMatchObject({
      kind: 'conflict',
      field: 'developerSignatory',
    })
    const clinician = await support.addPracticePerson(made.practiceId, 'clinician', 'Kim Clinician')
    await expect(offerBaa({ ...made, signatory: clinician })).rejects.toMatchObject({
      field: 'practiceSignatory',
    })
  })
})

test('what is signed and executed can be neither changed nor deleted, not even by the owner of the tables', async () => {
  const id = await support.executedBaa(await support.makeParties())
  const { prisma, database } = services
  const asServer = [
    prisma.agreementExecuted.update({ where: { agreementId: id }, data: { bytes: Buffer.from('x') } }),
    prisma.agreementExecuted.delete({ where: { agreementId: id } }),
    prisma.agreementSignature.deleteMany({ where: { agreementId: id } }),
    prisma.agreementVersion.deleteMany({ where: { agreementId: id } }),
    prisma.agreementEvent.deleteMany({ where: { agreementId: id } }),
    prisma.agreement.delete({ where: { id } }),
  ]
  for (const each of await Promise.allSettled(asServer)) {
    expect(each.status).toBe('rejected')
    expect(String((each as PromiseRejectedResult).reason)).toMatch(/permission denied|denied access/i)
  }

  const asOwner = (sql: string) => database.ownerPool.query(sql, [id])
  await expect(
    asOwner(`UPDATE portal.agreement_executed SET bytes = 'x' WHERE agreement_id = $1`),
  ).rejects.toThrow('written once')
  await expect(asOwner('DELETE FROM portal.agreement_executed WHERE agreement_id = $1')).rejects.toThrow(
    'until its retention ends',
  )
  await asOwner(`UPDATE portal.agreement SET ended_at = now() - interval '7 years',
    retain_until = now() - interval '1 year' WHERE id = $1`)
  await expect(
    asOwner('DELETE FROM portal.agreement_executed WHERE agreement_id = $1'),
  ).resolves.toMatchObject({
    rowCount: 1,
  })
})

test('a file is for who answers for the two sides: others get what is not there', async () => {
  const made = await support.makeParties()
  const id = await support.executedBaa(made)
  const other = await support.makeParties()
  const clinician = await support.addPracticePerson(made.practiceId, 'clinician', 'Kim Clinician')

  expect(await kindOfProblem(desk.read(id, clinician.fresh()))).toBe('not_found')
  for (const who of [other.owner, other.signatory, clinician])
    for (const what of [1, 'executed'] as const)
      expect(await kindOfProblem(desk.readFile(id, what, who.fresh()))).toBe('not_found')
  expect(await kindOfProblem(desk.read(randomUUID(), made.owner.fresh()))).toBe('not_found')
  expect(await kindOfProblem(desk.read('no-id', made.owner.fresh()))).toBe('not_found')
  expect(await verify('no hash')).toMatchObject({ kind: 'unknown' })
})

test('whoever was named and left is replaced by their own side, in a version that voids signatures', async () => {
  const { prisma } = services
  const agreements = desk
  const { practiceId, organizationId, signatory, admin, owner } = await support.makeParties()
  const id = await offerBaa({ organizationId, practiceId, signatory, admin, owner })
  await sign(id, owner)
  const named = { accountId: admin.accountId, legalName: admin.name, title: 'Practice manager' }
  const name = async (by: Actor, who = named) =>
    desk.nameSignatory({ ...(await support.target(id)), ...who }, by)
  expect(await kindOfProblem(name(admin.fresh()))).toBe('conflict')
  expect((await agreements.read(id, admin.fresh())).candidates).toEqual([])

  await prisma.practiceMembership.deleteMany({ where: { practiceId, accountId: signatory.accountId } })
  const stranger = await support.addPracticePerson(practiceId, 'clinician', 'Kim Clinician')
  expect(await kindOfProblem(name(owner.fresh()))).toBe('conflict')
  expect(await kindOfProblem(name(admin.fresh(), { ...named, accountId: stranger.accountId }))).toBe(
    'conflict',
  )
  expect((await agreements.read(id, admin.fresh())).candidates).toEqual([
    { accountId: admin.accountId, name: admin.name },
  ])
  const before = await support.target(id)
  await desk.nameSignatory({ ...before, ...named }, admin.fresh())
  await desk.nameSignatory({ ...before, ...named }, admin.fresh())

  expect((await support.target(id)).number).toBe(2)
  const { offered, signatures } = await agreements.read(id, owner.fresh())
  expect(signatures).toEqual([])
  expect(offered.markdown).toMatch(/Avery Sample\\?, Practice manager/)
  expect(changesOf(id)).toEqual(['signed', 'renegotiated'])
  await sign(id, admin)
  expect(await sign(id, owner)).toEqual({ kind: 'signed', executed: true })
})
