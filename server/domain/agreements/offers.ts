/** Offers documents to named signatories, also as an amendment or a renewal. */
import { randomUUID } from 'node:crypto'
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { openAgreementStates } from '../../contract/workflows/agreement-workflow.ts'
import {
  type AgreementKind,
  agreementTimes,
  type SigningSide,
  sidesOf,
} from '../../contract/workflows/agreements.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { lockOrganization } from '../organizations/membership.ts'
import { checkTexts, textsOf } from '../text-scan/check-text.ts'
import type { AgreementTarget, OfferAgreement, Offered } from './agreement-types.ts'
import { dayMs, daysAfter } from './endings.ts'
import { type AgreementParty, checkSignatory, findAgreementParty, systemParty } from './parties.ts'
import { parseFields, renderAgreement } from './render-agreement.ts'
import { wasEnded } from './replaced-agreement.ts'
import { begin, lock, type StepContext, transact, transitionIn, wasDone } from './transition.ts'
import { findVersion, toVersion } from './versions.ts'

type TypedFields = Record<string, string | number>
type Replacing = Readonly<{ actor: Actor | null; fields?: unknown; comment?: string | null }>

/**
 * Renders a document and offers it to its signatories by email. If the same kind is still open for the same organization
 * (and practice, level, classes, purposes), that one is returned instead. The first document of a process loads the
 * typefaces, so the transaction needs 20 seconds.
 * @throws Problem `validation` for invalid fields, `conflict` for a signatory who may not sign
 */
export async function offer(core: Core, tx: Prisma.TransactionClient, input: OfferAgreement) {
  await lockOrganization(tx, input.organizationId)
  const open = await findOpen(tx, input)
  if (open) return open
  // The offer comes from one side, from our staff, or from a job.
  const party = input.by ? await findAgreementParty(tx, input, input.by) : systemParty
  return create(core, tx, input, { party, replacesId: null, comment: null })
}

/** Offers a new version of an agreement in force, for a new term or with the template's changes; both sides sign it. */
export function replace(
  core: Core,
  target: AgreementTarget,
  event: 'amend' | 'renew',
  { actor, fields, comment = null }: Replacing,
): Promise<{ agreementId: string; repeated: boolean }> {
  if (actor) checkTexts({ ...textsOf(fields), comment: comment ?? '' }, actor)
  return transact(core, async (tx) => {
    const context = await lock(core, tx, target, actor)
    const { row, party } = context
    if (await wasDone(context, target, [event])) {
      const existing = await tx.agreement.findFirst({
        where: { replacesId: row.id },
        orderBy: { createdAt: 'desc' },
      })
      return { agreementId: existing?.id ?? row.id, repeated: true }
    }
    await transitionIn(
      core,
      tx,
      target,
      event,
      { party, actor },
      {
        guards: { renewable: requireRenewable },
        effects: () => ({ text: comment }),
      },
    )
    const input = await inputOfReplacement(context, fields)
    const amendment = await create(core, tx, input, { party, replacesId: row.id, comment })
    return { agreementId: amendment.agreementId, repeated: false }
  })
}

async function create(
  core: Core,
  tx: Prisma.TransactionClient,
  input: OfferAgreement,
  origin: { party: AgreementParty; replacesId: string | null; comment: string | null },
): Promise<Offered> {
  const { kind, organizationId, practiceId, requestId, signatories, now, by } = input
  const { party, replacesId, comment } = origin
  const id = randomUUID()
  const cover =
    input.kind === 'baa'
      ? { level: input.level, dataClasses: [...input.dataClasses], purposes: [...input.purposes] }
      : { level: null, dataClasses: [], purposes: [] }
  const document = { agreementId: id, number: 1, kind, ...cover, signatories, fields: input.fields, at: now }
  const rendered = await renderAgreement(core.agreementTexts, document)
  const { sha256 } = rendered
  const make = () =>
    tx.agreement.create({
      data: {
        id,
        kind,
        organizationId,
        practiceId,
        requestId,
        state: 'offered',
        ...cover,
        replacesId,
        openForId: replacesId,
        createdById: by?.accountId ?? null,
        createdAt: now,
        activeAt: now,
        signatories: { create: [...signatories] },
        versions: { create: toVersion(rendered, { number: 1, party, comment, now }) },
      },
    })
  const withdrawnAt = daysAfter(now, agreementTimes.withdrawnAfterDays).toISOString()
  await begin(core, tx, 'offer', {
    guards: { signatories_named: () => checkSignatories(tx, input) },
    make,
    party,
    actor: by,
    now,
    detail: { sha256, template: `${rendered.templateName} ${rendered.templateVersion}` },
    emails: () => ({ 'agreement-offered': { sha256, withdrawnAt } }),
  })
  return { agreementId: id, sha256 }
}

/** An open agreement with the same terms. */
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

async function checkSignatories(tx: Prisma.TransactionClient, input: OfferAgreement): Promise<void> {
  const required = (sidesOf[input.kind] as readonly SigningSide[]).filter((side) => side !== 'service')
  const sides = input.signatories.map(({ side }) => side)
  if (required.length !== sides.length || !required.every((side) => sides.includes(side as never)))
    throw new Problem('validation', {
      field: 'signatories',
      message: 'Name exactly one signatory for each side.',
    })
  if (input.namedBefore) return
  for (const signatory of input.signatories) await checkSignatory(tx, input, signatory)
}

function requireRenewable({ row, now }: StepContext): void {
  const { endsAt } = row
  if (wasEnded(row))
    throw new Problem('conflict', { message: 'It can’t be renewed because notice was given.' })
  const opens = (endsAt?.getTime() ?? 0) - agreementTimes.renewalWindowDays * dayMs
  if (now.getTime() < opens)
    throw new Problem('conflict', {
      message: `You can renew it in its last ${agreementTimes.renewalWindowDays} days.`,
    })
}

/** The input of the replaced agreement's offer, for the agreement that replaces it. */
async function inputOfReplacement(context: StepContext & Readonly<{ actor: Actor | null }>, fields: unknown) {
  const { tx, row, actor, now } = context
  const kind = row.kind as AgreementKind
  const version = await findVersion(context)
  const signatories = await tx.agreementSignatory.findMany({
    where: { agreementId: row.id, side: { not: 'service' } },
  })
  return {
    ...row,
    kind,
    fields: parseFields(kind, fields ?? renewed(row, version.fields as TypedFields, now)),
    signatories: signatories.map(({ side, accountId, legalName, title }) => ({
      side,
      accountId: accountId ?? '',
      legalName,
      title,
    })),
    namedBefore: true,
    by: actor,
    now,
  } as unknown as OfferAgreement
}

/** Gives a BAA a new term: it begins at the end of the last one and is as long. */
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
