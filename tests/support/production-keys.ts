/** Developers, a practice and reviewers around a production key, and the steps between a draft and a key that works. */
import { randomUUID } from 'node:crypto'
import type { ProductionDraft } from '../../server/contract/forms/production-keys.ts'
import { productionKeyWorkflow } from '../../server/contract/workflows/production-key-workflow.ts'
import { securityQuestionIds } from '../../server/contract/workflows/security-questions.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { addAccount, addPractice, addSession, signedIn } from './people.ts'
import { registrationSupport, type Staff } from './registrations.ts'
import type { TestServices } from './services.ts'

/** Somebody who signs in at one of the sign-in pages; the password given just now at each call of `fresh`. */
export type Person = { accountId: string; email: string; name: string; fresh: () => Actor }

type Office = { practiceId: string; slug: string; name: string; admin: Person; signatory: Person }

export const party = {
  legalName: 'Samplewood Health Apps LLC',
  address: '1 Placeholder Way, Springfield, IL 62701',
  contactName: 'Robin Testwell',
  contactEmail: 'legal@samplewood.example',
}

/** Emails about a request that no step sends: of its clocks, its year, its keys. */
const besideTheTable: readonly string[] = [
  'recertification-due',
  'review-escalation',
  'key-leaked',
  'key-rotated',
]

export const reasonWords = 'Said in words that a person understands.'

/** @param services asked for when needed: tests make them before they run */
export function productionKeySupport(services: () => TestServices) {
  const registrations = registrationSupport(services)

  async function person(realm: 'developer' | 'practice', name: string): Promise<Person> {
    const account = await addAccount(services(), realm, {
      email: `${randomUUID().slice(0, 8)}@${realm}.example`,
      name,
    })
    const { id: accountId, email } = account
    const { id: sessionId } = await addSession(services(), { id: accountId, realm })
    const fresh = signedIn(services, accountId, sessionId)
    return { accountId, email, name, fresh }
  }

  async function practicePerson(practiceId: string, role: 'admin' | 'signatory' | 'clinician', name: string) {
    const made = await person('practice', name)
    await services().prisma.practiceMembership.create({
      data: { practiceId, accountId: made.accountId, role, createdAt: services().clock() },
    })
    return made
  }

  /** A production practice with an admin and a signatory on file. */
  async function office(): Promise<Office> {
    const name = 'Fennmoor Family Practice'
    const slug = `fennmoor-${randomUUID().slice(0, 8)}`
    const { id: practiceId } = await addPractice(services(), { slug, name, inDirectory: true })
    return {
      practiceId,
      slug,
      name,
      admin: await practicePerson(practiceId, 'admin', 'Theo Placeholder'),
      signatory: await practicePerson(practiceId, 'signatory', 'Ines Placeholder'),
    }
  }

  async function addMember(
    organizationId: string,
    role: 'viewer' | 'developer' | 'admin' | 'owner',
    name: string,
  ) {
    const made = await person('developer', name)
    await services().prisma.membership.create({
      data: { organizationId, accountId: made.accountId, role, createdAt: services().clock() },
    })
    return made
  }

  /** An organization with a confirmed domain and a security profile, and its owner. */
  async function team() {
    const owner = await person('developer', 'Robin Testwell')
    const { id: organizationId, slug } = await services().organizations.create(
      { name: 'Samplewood Health Apps' },
      owner.fresh(),
    )
    await addDomain(organizationId, owner)
    const answers = Object.fromEntries(securityQuestionIds.map((id) => [id, `Answered in full for ${id}.`]))
    await services().productionKeys.profiles.save(
      { organizationId, version: 0, answers: { ...party, ...answers } as never },
      owner.fresh(),
    )
    return { organizationId, slug, owner }
  }

  async function addDomain(organizationId: string, owner: Person): Promise<void> {
    const now = services().clock()
    await services().prisma.organizationDomain.create({
      data: {
        organizationId,
        domain: `${randomUUID().slice(0, 8)}.example`,
        mailbox: 'security',
        requestedById: owner.accountId,
        requestedAt: now,
        verifiedAt: now,
      },
    })
  }

  function draftFor(
    practiceSlug: string,
    signatoryId: string,
    changes: Partial<ProductionDraft> = {},
  ): ProductionDraft {
    return {
      name: 'Nightly import',
      practiceSlug,
      level: 'read_only',
      justification: 'Reads visits every night so that the practice’s reminder calls are right.',
      purposes: ['operations'],
      dataClasses: ['demographics', 'visits'],
      termDays: 90,
      signatoryId,
      signatoryName: 'Robin Testwell',
      signatoryTitle: 'Chief Executive',
      ...changes,
    }
  }

  /** The request as a page would send it now. */
  async function target(requestId: string) {
    const { version } = await services().prisma.productionKeyRequest.findUniqueOrThrow({
      where: { id: requestId },
    })
    return { requestId, version, idempotencyKey: randomUUID() }
  }

  const stateOf = async (id: string) =>
    (await services().prisma.productionKeyRequest.findUniqueOrThrow({ where: { id } })).state

  type Scene = Awaited<ReturnType<typeof team>> & { office: Office; requestId: string }

  async function submitted(changes: Partial<ProductionDraft> = {}, with_?: Partial<Scene>): Promise<Scene> {
    const made = with_?.owner ? (with_ as Scene) : await team()
    const place = with_?.office ?? (await office())
    const { requestId } = await services().productionKeys.create(
      {
        organizationId: made.organizationId,
        draft: draftFor(place.slug, made.owner.accountId, changes),
        idempotencyKey: randomUUID(),
      },
      made.owner.fresh(),
    )
    await services().productionKeys.submit(await target(requestId), made.owner.fresh())
    return { ...made, office: place, requestId }
  }

  async function confirm({ office: place, requestId }: Scene): Promise<void> {
    await services().productionKeys.sponsors.confirm(
      {
        ...(await target(requestId)),
        ...party,
        legalName: 'Fennmoor Family Practice PLLC',
        signatoryId: place.signatory.accountId,
        signatoryName: place.signatory.name,
        signatoryTitle: 'Practice Manager',
      },
      place.admin.fresh(),
    )
  }

  /** Signs what waits for the person, as its page would. */
  async function sign(agreementId: string, by: Person, title: string): Promise<void> {
    const { number } = await services().prisma.agreement.findUniqueOrThrow({ where: { id: agreementId } })
    const { sha256 } = await services().prisma.agreementVersion.findUniqueOrThrow({
      where: { agreementId_number: { agreementId, number } },
    })
    const outcome = await services().agreements.sign(
      { agreementId, number, sha256, legalName: by.name, title },
      by.fresh(),
    )
    if (outcome.kind !== 'signed') throw new Error(outcome.message)
  }

  const rowOf = (id: string) => services().prisma.productionKeyRequest.findUniqueOrThrow({ where: { id } })

  async function signEverything(scene: Scene): Promise<void> {
    const before = await rowOf(scene.requestId)
    if (before.state === 'sponsor_confirmed')
      await sign(before.usageAgreementId ?? '', scene.owner, 'Chief Executive')
    const { baaId, state } = await rowOf(scene.requestId)
    if (state !== 'baa_pending') return
    await sign(baaId ?? '', scene.owner, 'Chief Executive')
    await sign(baaId ?? '', scene.office.signatory, 'Practice Manager')
  }

  async function approve(requestId: string, first: Staff, second?: Staff): Promise<void> {
    const { reviews } = services().productionKeys
    await reviews.claim(await target(requestId), first.fresh())
    await reviews.approve(await target(requestId), first.fresh())
    if (second) await reviews.approve(await target(requestId), second.fresh())
  }

  /** As far as a key that may be claimed. */
  async function approved(changes: Partial<ProductionDraft> = {}, with_?: Partial<Scene>): Promise<Scene> {
    const scene = await submitted(changes, with_)
    await confirm(scene)
    await signEverything(scene)
    const [rae, kit] = [await registrations.makeStaff('reviewer'), await registrations.makeStaff('reviewer')]
    await approve(scene.requestId, rae, changes.level === 'full' ? kit : undefined)
    return scene
  }

  /** A key that works, as its requester got it. */
  async function working(changes: Partial<ProductionDraft> = {}, with_?: Partial<Scene>) {
    const scene = await approved(changes, with_)
    const revealed = await services().productionKeys.reveal(
      { requestId: scene.requestId },
      scene.owner.fresh(),
    )
    if (revealed.kind !== 'revealed') throw new Error(revealed.kind)
    return { ...scene, key: revealed.key, expiresAt: revealed.expiresAt }
  }

  /** Mails to an address, the oldest first, by their names. */
  async function mailed(email: string): Promise<string[]> {
    const rows = await services().prisma.outboxMail.findMany({
      where: { toAddress: email },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map(({ template }) => template)
  }

  /** Of each request: the emails its events list in the table, and those that were written. */
  async function listedAndSent(): Promise<readonly { listed: string[]; sent: string[] }[]> {
    const { prisma } = services()
    const requests = await prisma.productionKeyRequest.findMany({ select: { id: true } })
    return Promise.all(
      requests.map(async ({ id }) => {
        const events = await prisma.workflowEvent.findMany({ where: { subjectId: id } })
        const emails = await prisma.outboxMail.findMany({ where: { threadId: id } })
        const listed = events.flatMap(({ from, event }) => {
          const row = productionKeyWorkflow.rows.find((each) => each.from === from && each.event === event)
          return row && 'emails' in row ? Object.keys(row.emails) : []
        })
        const sent = emails.map(({ template }) => template).filter((name) => !besideTheTable.includes(name))
        return { listed: [...new Set(listed)].sort(), sent: [...new Set(sent)].sort() }
      }),
    )
  }

  return {
    ...registrations,
    listedAndSent,
    person,
    practicePerson,
    office,
    addMember,
    team,
    draftFor,
    target,
    stateOf,
    submitted,
    confirm,
    sign,
    signEverything,
    approve,
    approved,
    working,
    mailed,
    rowOf,
  }
}
