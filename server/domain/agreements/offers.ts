/** Offers a document to named people, in exactly these bytes; also as an amendment or a renewal. */
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
 * Offers a document to its signatories: renders the exact bytes, and sends both an email. One of the kind that is still open
 * for the same organization (and practice, level, classes, purposes) is given back instead of a second. The first
 * document of a process loads its typefaces: give the transaction 20 seconds.
 * @throws Problem `validation` for fields that do not fit, `conflict` for a signatory who may not sign
 */
export async function offer(core: Core, tx: Prisma.TransactionClient, input: OfferAgreement) {
  await lockOrganization(tx, input.organizationId)
  const open = await findOpen(tx, input)
  if (open) return open
  // The offer comes from one side, from our staff, or from a job.
  const party = input.by ? await findAgreementParty(tx, input, input.by) : systemParty
  return create(core, tx, input, { party, replacesId: null, comment: null })
}

/** A new text for what is in force, for a new term or with what changed in the template; both sides sign it. */
export function replace(
  core: Core,
  target: AgreementTarget,
  event: 'amend' | 'renew',
  { actor, fields, comment = null }: Replacing,
): Promise<{ agreementId: string; repeated: boolean }> {
  if (actor) checkTexts({ ...textsOf(fields), comment: comment ?? '' }, actor)
  return transact(core, async (tx) => {
    const of = await lock(core, tx, target, actor)
    const { row, party } = of
    if (await wasDone(of, target, [event])) {
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
    const input = await inputAgain(of, fields)
    const amendment = await create(core, tx, input, { party, replacesId: row.id, comment })
    return { agreementId: amendment.agreementId, repeated: false }
  })
}

async function create(
  core: Core,
  tx: Prisma.TransactionClient,
  input: OfferAgreement,
  of: { party: AgreementParty; replacesId: string | null; comment: string | null },
): Promise<Offered> {
  const { kind, organizationId, practiceId, requestId, signatories, now, by } = input
  const { party, replacesId, comment } = of
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

async function checkSignatories(tx: Prisma.TransactionClient, input: OfferAgreement): Promise<void> {
  const wanted = (sidesOf[input.kind] as readonly SigningSide[]).filter((side) => side !== 'service')
  const sides = input.signatories.map(({ side }) => side)
  if (wanted.length !== sides.length || !wanted.every((side) => sides.includes(side as never)))
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

/** What an agreement was offered with, for the one that takes its place. */
async function inputAgain(of: StepContext & Readonly<{ actor: Actor | null }>, fields: unknown) {
  const { tx, row, actor, now } = of
  const kind = row.kind as AgreementKind
  const version = await findVersion(of)
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
