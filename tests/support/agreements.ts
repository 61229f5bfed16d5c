/** A developer's organization, a practice, and the people who sign for them. */

import { randomUUID } from 'node:crypto'
import {
  agreementForms,
  type BaaFields,
  baaFields,
  usageFields,
} from '../../server/contract/forms/agreements.ts'
import { baaClauseNames } from '../../server/contract/workflows/agreements.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { Signatory } from '../../server/domain/agreements/agreement-types.ts'
import type * as agreementServicesVerbs from '../../server/domain/agreements/agreements.ts'
import type { WithCore } from '../../server/domain/core.ts'
import { addAccount, addPractice } from './people.ts'
import { registrationSupport } from './registrations.ts'
import type { TestServices } from './services.ts'
import { createTeams } from './team.ts'

export type Signer = { accountId: string; email: string; name: string; fresh: () => Actor }

export type Parties = {
  organizationId: string
  practiceId: string
  owner: Signer
  signatory: Signer
  admin: Signer
}

/** A document of one's own: as small as a PDF with a page can be. */
export function ownPaper(catalog = '', trailer = ''): Uint8Array {
  const content = 'BT 20 100 Td (Between Testwell and Samplewood.) Tj ET'
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
    `<< /Length ${content.length} >> stream\n${content}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj ${object} endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  text += `xref\n0 5\n0000000000 65535 f \n${places.join('')}trailer << /Size 5 /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF`
  return new TextEncoder().encode(text)
}

/** @param services asked for when needed: tests make them before they run */
export function agreementSupport(services: () => TestServices, agreements = () => services().agreements) {
  const teams = createTeams(services)
  const { makeStaff } = registrationSupport(services)

  function signer(accountId: string, email: string, name: string): Signer {
    const context = { ip: '203.0.113.9', userAgent: 'vitest', correlationId: randomUUID() }
    const fresh = () => ({
      ...context,
      accountId,
      sessionId: randomUUID(),
      authenticatedAt: new Date(services().clock().getTime() - 90_000),
      mfa: services().clock(),
    })
    return { accountId, email, name, fresh }
  }

  async function addPracticePerson(
    practiceId: string,
    role: 'admin' | 'signatory' | 'clinician',
    name: string,
  ) {
    const email = `${randomUUID().slice(0, 8)}@oldquay.example`
    const { id } = await addAccount(services(), 'practice', { name, email })
    await services().prisma.practiceMembership.create({
      data: { practiceId, accountId: id, role, createdAt: services().clock() },
    })
    return signer(id, email, name)
  }

  /** A person of each kind that a workflow knows, around one organization and one practice. */
  async function everyParty({ organizationId, practiceId, owner, admin, signatory }: Parties) {
    const member = async (role: 'viewer' | 'developer' | 'admin') =>
      (await teams.addMember(organizationId, role)).actor
    return {
      visitor: (await teams.makePerson()).actor,
      viewer: await member('viewer'),
      developer: await member('developer'),
      admin: await member('admin'),
      owner: owner.fresh(),
      practice_clinician: (await addPracticePerson(practiceId, 'clinician', 'Kim Clinician')).fresh(),
      practice_admin: admin.fresh(),
      practice_signatory: signatory.fresh(),
      reviewer: (await makeStaff('reviewer')).fresh(),
      ops: (await makeStaff('ops')).fresh(),
      system: 'system' as const,
    }
  }

  async function makeParties(): Promise<Parties> {
    const { organizationId, owner } = await teams.makeTeam()
    const { id: practiceId } = await addPractice(services(), { name: 'Old Quay Family Practice' })
    return {
      organizationId,
      practiceId,
      owner: signer(owner.accountId, owner.email, 'Robin Testwell'),
      signatory: await addPracticePerson(practiceId, 'signatory', 'Zoë Šťastná'),
      admin: await addPracticePerson(practiceId, 'admin', 'Avery Sample'),
    }
  }

  const developerSide = ({ owner }: Parties): Signatory => ({
    side: 'developer',
    accountId: owner.accountId,
    legalName: owner.name,
    title: 'Chief executive',
  })
  const practiceSide = ({ signatory }: Parties): Signatory => ({
    side: 'practice',
    accountId: signatory.accountId,
    legalName: signatory.name,
    title: 'Managing partner',
  })

  const dayOf = (days: number) =>
    new Date(services().clock().getTime() + days * 86_400_000).toISOString().slice(0, 10)

  function completeBaa(changes: Partial<Record<keyof BaaFields, unknown>> = {}): BaaFields {
    return baaFields.parse({
      developerLegalName: 'Samplewood Health Apps, LLC',
      developerAddress: '12 Placeholder Street, Sampleton, VT 05401',
      developerContactName: 'Robin Testwell',
      developerContactEmail: 'privacy@samplewood.example',
      practiceLegalName: 'Old Quay Family Practice, P.C.',
      practiceAddress: '3 Harbor Lane, Sampleton, VT 05401',
      practiceContactName: 'Avery Sample',
      practiceContactEmail: 'privacy@oldquay.example',
      services: 'Reminds patients of visits that are due, from the practice’s own schedule.',
      effectiveOn: dayOf(0),
      expiresOn: dayOf(365),
      ...changes,
    })
  }

  const completeUsage = () =>
    usageFields.parse({
      developerLegalName: 'Samplewood Health Apps, LLC',
      developerAddress: '12 Placeholder Street, Sampleton, VT 05401',
      developerContactName: 'Robin Testwell',
      developerContactEmail: 'legal@samplewood.example',
    })

  async function offerBaa(parties: Parties, changes: Partial<Record<keyof BaaFields, unknown>> = {}) {
    const offered = await services().prisma.$transaction(
      (tx) =>
        agreements().offer(tx, {
          kind: 'baa',
          organizationId: parties.organizationId,
          practiceId: parties.practiceId,
          requestId: randomUUID(),
          level: 'read_only',
          dataClasses: ['demographics', 'visits'],
          purposes: ['operations', 'treatment'],
          signatories: [developerSide(parties), practiceSide(parties)],
          fields: completeBaa(changes),
          by: null,
          now: services().clock(),
        }),
      { maxWait: 10_000, timeout: 20_000 },
    )
    return offered.agreementId
  }

  async function offerUsage(parties: Parties) {
    const offered = await services().prisma.$transaction(
      (tx) =>
        agreements().offer(tx, {
          kind: 'usage_agreement',
          organizationId: parties.organizationId,
          practiceId: null,
          requestId: randomUUID(),
          signatories: [developerSide(parties)],
          fields: completeUsage(),
          by: null,
          now: services().clock(),
        }),
      { maxWait: 10_000, timeout: 20_000 },
    )
    return offered.agreementId
  }

  /** The request as a page would send it now. */
  async function target(agreementId: string) {
    const { version, number } = await services().prisma.agreement.findUniqueOrThrow({
      where: { id: agreementId },
    })
    return { agreementId, version, number, idempotencyKey: randomUUID() }
  }

  async function signature(agreementId: string, by: Signer) {
    const seen = await target(agreementId)
    const { sha256 } = await services().prisma.agreementVersion.findUniqueOrThrow({
      where: { agreementId_number: { agreementId, number: seen.number } },
    })
    const { legalName, title, ...form } = agreementForms.sign.parse({
      ...seen,
      sha256,
      legalName: by.name,
      title: 'Signs for us',
      authority: 'on',
      consent: 'on',
    })
    return { agreementId, ...form, legalName, title }
  }

  const sign = async (
    agreementId: string,
    by: Signer,
  ): ReturnType<WithCore<typeof agreementServicesVerbs>['sign']> =>
    agreements().sign(await signature(agreementId, by), by.fresh())

  async function executedBaa(parties: Parties, changes: Partial<Record<keyof BaaFields, unknown>> = {}) {
    const id = await offerBaa(parties, changes)
    await sign(id, parties.owner)
    await sign(id, parties.signatory)
    return id
  }

  const stateOf = async (id: string) =>
    (await services().prisma.agreement.findUniqueOrThrow({ where: { id } })).state

  /** The practice's admin uploads a document in place of the text that is offered. */
  async function upload(
    id: string,
    { admin }: Parties,
    change: Partial<{ bytes: Uint8Array; clauses: object }> = {},
  ): Promise<void> {
    const places = baaClauseNames.map((clause, at) => [clause, `Section ${at + 1}, page 2`])
    const file = {
      fileName: '../Our BAA.pdf',
      bytes: ownPaper(),
      clauses: Object.fromEntries(places),
      ...change,
    }
    const comment = 'We use the paper of our counsel.'
    await agreements().edit(
      { ...(await target(id)), comment, fields: completeBaa(), upload: file },
      admin.fresh(),
    )
  }

  return {
    upload,
    ...teams,
    makeStaff,
    everyParty,
    addPracticePerson,
    makeParties,
    completeBaa,
    offerBaa,
    offerUsage,
    target,
    signature,
    sign,
    executedBaa,
    stateOf,
    dayOf,
  }
}
