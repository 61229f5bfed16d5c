/** Offering a document: to named people, in exactly these bytes; anew as an amendment or a renewal. */
import { randomUUID } from 'node:crypto'
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { openAgreementStates } from '../../contract/agreement-workflow.ts'
import { type AgreementKind, agreementTimes, type SigningSide, sidesOf } from '../../contract/agreements.ts'
import { Problem } from '../../contract/problems.ts'
import type { Actor } from '../actor.ts'
import { lockOrganization } from '../organizations/membership.ts'
import { checkTexts, textsOf } from '../text-scan/check-text.ts'
import type { ToldMail } from './agreement-mails.ts'
import { type AgreementParty, findAgreementParty, systemParty } from './agreement-parties.ts'
import type { AgreementRooms } from './agreement-rooms.ts'
import type { AgreementTarget, OfferAgreement, Offered } from './agreement-types.ts'
import { parseFields, type Rendered, renderAgreement } from './render-agreement.ts'
import { wasEnded } from './replaced-agreement.ts'
import { checkSignatory } from './who-may-sign.ts'

export const dayMs = 86_400_000

type TypedFields = Record<string, string | number>

export function createOffers({ walk, texts }: AgreementRooms) {
  /** @see Agreements.offer */
  async function offer(tx: Prisma.TransactionClient, input: OfferAgreement): Promise<Offered> {
    await lockOrganization(tx, input.organizationId)
    const open = await findOpen(tx, input)
    if (open) return open
    const party = await offering(tx, input)
    checkSides(input)
    if (!input.namedBefore)
      for (const signatory of input.signatories) await checkSignatory(tx, input, signatory)
    return create(tx, input, { party, replaces: null, comment: null })
  }

  /** The same document again, for a new term or with what changed in the template. */
  async function replace(
    target: AgreementTarget,
    event: 'amend' | 'renew',
    { actor, fields, comment = null }: { actor: Actor | null; fields?: unknown; comment?: string | null },
  ): Promise<{ agreementId: string; repeated: boolean }> {
    if (actor) checkTexts({ ...textsOf(fields), comment: comment ?? '' }, actor)
    return walk.locked(target, actor, async (of) => {
      const { tx, row, now } = of
      if (await walk.wasDone(of, target, [event])) {
        const made = await tx.agreement.findFirst({
          where: { replacesId: row.id },
          orderBy: { createdAt: 'desc' },
        })
        return { agreementId: made?.id ?? row.id, repeated: true }
      }
      const changed = await walk.advance(
        of,
        event,
        () => {
          if (event === 'renew') checkWindow(row, now)
          return { text: comment, change: 'amending' }
        },
        target,
      )
      const made = await create(tx, await inputAgain(tx, { row: changed, fields, actor, now }), {
        party: of.party,
        replaces: changed,
        comment,
      })
      return { agreementId: made.agreementId, repeated: false }
    })
  }

  async function create(
    tx: Prisma.TransactionClient,
    input: OfferAgreement,
    {
      party,
      replaces,
      comment,
    }: { party: AgreementParty; replaces: Agreement | null; comment: string | null },
  ): Promise<Offered> {
    const { kind, organizationId, practiceId, requestId, signatories, now, by } = input
    const id = randomUUID()
    const cover =
      input.kind === 'baa'
        ? { level: input.level, dataClasses: [...input.dataClasses], purposes: [...input.purposes] }
        : { level: null, dataClasses: [], purposes: [] }
    const rendered = await renderAgreement(texts, {
      agreementId: id,
      number: 1,
      kind,
      ...cover,
      signatories,
      fields: input.fields,
      at: now,
    })
    const row = await tx.agreement.create({
      data: {
        id,
        kind,
        organizationId,
        practiceId,
        requestId,
        state: 'offered',
        ...cover,
        replacesId: replaces?.id ?? null,
        openForId: replaces?.id ?? null,
        createdById: by?.accountId ?? null,
        createdAt: now,
        activeAt: now,
      },
    })
    await tx.agreementSignatory.createMany({
      data: signatories.map((each) => ({ agreementId: id, ...each })),
    })
    await tx.agreementVersion.create({
      data: { agreementId: id, ...toVersion(rendered, { number: 1, party, comment, now }) },
      select: { number: true },
    })
    const props = { sha256: rendered.sha256, withdrawnAt: after(now, agreementTimes.withdrawnAfterDays) }
    const done = {
      detail: { sha256: rendered.sha256, template: `${rendered.templateName} ${rendered.templateVersion}` },
      mails: signatories.map(
        ({ side }): ToldMail => ({ template: 'agreement-offered', to: 'signer', side, props }),
      ),
    }
    await walk.record({ tx, row, party, actor: by, now }, { event: 'offer', from: null, done })
    return { agreementId: id, sha256: rendered.sha256 }
  }

  /** Whoever offers is of one side, of our staff, or a job. */
  async function offering(tx: Prisma.TransactionClient, input: OfferAgreement): Promise<AgreementParty> {
    return input.by ? findAgreementParty(tx, input, input.by) : systemParty
  }

  return { offer, replace }
}

export function toVersion(
  rendered: Rendered,
  of: { number: number; party: AgreementParty; comment: string | null; now: Date },
): Prisma.AgreementVersionUncheckedCreateWithoutAgreementInput {
  return {
    number: of.number,
    source: 'template',
    templateName: rendered.templateName,
    templateVersion: rendered.templateVersion,
    templateSha256: rendered.templateSha256,
    fields: rendered.fields,
    markdown: rendered.markdown,
    fileName: rendered.fileName,
    bytes: Buffer.from(rendered.bytes),
    sha256: rendered.sha256,
    bySide: of.party.side,
    byId: of.party.accountId,
    comment: of.comment,
    createdAt: of.now,
  }
}

export function after(now: Date, days: number): string {
  return new Date(now.getTime() + days * dayMs).toISOString()
}

/** One that is still open and says the same. */
async function findOpen(tx: Prisma.TransactionClient, input: OfferAgreement): Promise<Offered | null> {
  const baa =
    input.kind === 'baa'
      ? {
          level: input.level,
          dataClasses: { equals: [...input.dataClasses] },
          purposes: { equals: [...input.purposes] },
        }
      : {}
  const open = await tx.agreement.findFirst({
    where: {
      kind: input.kind,
      organizationId: input.organizationId,
      practiceId: input.practiceId,
      state: { in: [...openAgreementStates] },
      replacesId: null,
      ...baa,
    },
    include: { versions: { orderBy: { number: 'desc' }, take: 1, select: { sha256: true } } },
  })
  return open ? { agreementId: open.id, sha256: open.versions[0]?.sha256 ?? '' } : null
}

function checkSides(input: OfferAgreement): void {
  const wanted = (sidesOf[input.kind] as readonly SigningSide[]).filter((side) => side !== 'service')
  const given = input.signatories.map(({ side }) => side)
  if (wanted.length !== given.length || !wanted.every((side) => given.includes(side as never)))
    throw new Problem('validation', {
      field: 'signatories',
      message: 'Name exactly one person who signs for each side.',
    })
}

function checkWindow(row: Agreement, now: Date): void {
  const { endsAt } = row
  if (wasEnded(row)) throw new Problem('conflict', { message: 'Notice of it was given: it is not renewed.' })
  const opens = (endsAt?.getTime() ?? 0) - agreementTimes.renewalWindowDays * dayMs
  if (now.getTime() < opens)
    throw new Problem('conflict', {
      message: `It can be renewed in its last ${agreementTimes.renewalWindowDays} days.`,
    })
}

/** What an agreement was offered with, for the one that takes its place. */
async function inputAgain(
  tx: Prisma.TransactionClient,
  { row, fields, actor, now }: { row: Agreement; fields: unknown; actor: Actor | null; now: Date },
): Promise<OfferAgreement> {
  const version = await tx.agreementVersion.findUniqueOrThrow({
    where: { agreementId_number: { agreementId: row.id, number: row.number } },
    select: { fields: true },
  })
  const signatories = await tx.agreementSignatory.findMany({
    where: { agreementId: row.id, side: { not: 'service' } },
  })
  return {
    kind: row.kind as AgreementKind,
    organizationId: row.organizationId,
    practiceId: row.practiceId,
    requestId: row.requestId,
    level: row.level,
    dataClasses: row.dataClasses,
    purposes: row.purposes,
    fields: parseFields(
      row.kind as AgreementKind,
      fields ?? renewed(row, version.fields as TypedFields, now),
    ),
    signatories: signatories.map(({ side, accountId, legalName, title }) => ({
      side,
      accountId: accountId ?? '',
      legalName,
      title,
    })),
    by: actor,
    now,
  } as unknown as OfferAgreement
}

/** A BAA's new term: as long as the last one, from its end on. */
function renewed(row: Agreement, fields: TypedFields, now: Date): TypedFields {
  if (row.kind !== 'baa') return fields
  const begins = new Date(Math.max(now.getTime(), Date.parse(`${fields.expiresOn}T00:00:00Z`)))
  const length = Date.parse(`${fields.expiresOn}`) - Date.parse(`${fields.effectiveOn}`)
  const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10)
  return {
    ...fields,
    effectiveOn: isoDay(now.getTime()),
    expiresOn: isoDay(
      Math.min(begins.getTime() + length, now.getTime() + (agreementTimes.baaDaysMax - 2) * dayMs),
    ),
  }
}
