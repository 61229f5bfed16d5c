/** Agreements for pages: lists, one agreement with its history, and its files; for members of a side and staff. */
import type { AgreementSignatory, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import {
  type AgreementState,
  agreementWorkflow,
  executedStates,
  openAgreementStates,
} from '../../contract/workflows/agreement-workflow.ts'
import { type AgreementKind, type SigningSide, sidesOf } from '../../contract/workflows/agreements.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import type { AgreementDatabase } from './agreement-types.ts'
import { type AgreementParty, findAgreementParty, findSigners, maySign } from './parties.ts'
import { sha256Of } from './render-agreement.ts'
import { agreementKind } from './transition.ts'

const listedFields = {
  organization: { select: { id: true, slug: true, name: true } },
  practice: { select: { id: true, slug: true, name: true } },
  signatures: { orderBy: { at: 'asc' } },
  returnTask: true,
} as const satisfies Prisma.AgreementInclude

type Row = Prisma.AgreementGetPayload<{ include: typeof listedFields }>

/** One page of a list, the newest first; searched by the names of both sides. */
async function listPage(
  { prisma }: Core,
  scope: Prisma.AgreementWhereInput,
  ask: PageAsk,
  { accountId }: Partial<Pick<Actor, 'accountId'>> = {},
) {
  const where: Prisma.AgreementWhereInput = {
    ...scope,
    ...searchWhere<Prisma.AgreementWhereInput>(ask.q, (like) => [
      { organization: { name: like } },
      { practice: { name: like } },
    ]),
  }
  const found = await readPage(
    ask,
    () => prisma.agreement.count({ where }),
    (window) =>
      prisma.agreement.findMany({
        where,
        include: { ...listedFields, signatories: { select: { side: true, accountId: true } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        ...window,
      }),
  )
  return {
    ...found,
    rows: found.rows.map(({ signatories, ...row }) => {
      const agreement = toListed(row)
      const reader = signatories.find((named) => named.accountId === accountId)
      /** Whether the reader must sign. */
      return { ...agreement, yours: agreement.waitsFor.some((side) => side === reader?.side) }
    }),
  }
}

export const pageForOrganization = (core: Core, organizationId: string, ask: PageAsk, actor: Actor) =>
  listPage(core, { organizationId }, ask, actor)

export const pageForPractice = (core: Core, practiceId: string, ask: PageAsk, actor: Actor) =>
  listPage(core, { practiceId }, ask, actor)

export async function listForRequest(_: Core, db: AgreementDatabase, requestId: string) {
  const rows = await db.agreement.findMany({
    where: { requestId },
    include: listedFields,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  return rows.map(toListed)
}

/** The document that a side uploaded instead of our BAA template; null if the template is offered. */
export async function findOwnBaa({ prisma }: Core, agreementId: string) {
  const row = await prisma.agreement.findUnique({ where: { id: agreementId }, select: { number: true } })
  const version = await prisma.agreementVersion.findFirst({
    where: { agreementId, number: row?.number ?? 0, source: 'upload' },
    select: { bySide: true, fileName: true, sha256: true },
  })
  return version && { ...version, bySide: version.bySide as SigningSide | null }
}

/**
 * The newest other document of the same organization that waits for the signature of a person who has just signed,
 * for the same side. Null if there is none.
 */
export async function findNextToSign(
  { prisma }: Core,
  agreementId: string,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<string | null> {
  const signed = await prisma.agreement.findUnique({
    where: { id: agreementId },
    select: { organizationId: true, signatories: { where: { accountId } } },
  })
  const side = signed?.signatories[0]?.side
  if (!signed || side === undefined) return null
  const open = await prisma.agreement.findMany({
    where: {
      organizationId: signed.organizationId,
      id: { not: agreementId },
      state: { in: ['offered', 'partially_signed'] },
      signatories: { some: { accountId, side } },
    },
    include: { signatures: { where: { side } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 100,
  })
  const isDue = ({ number, rejectedNumber, signatures }: (typeof open)[number]) =>
    rejectedNumber !== number && !signatures.some((signature) => signature.number === number)
  return open.find(isDue)?.id ?? null
}

/** The agreements that operations can withdraw or end, the newest first. @throws Problem `forbidden` for others */
export async function listForOperations(
  core: Core,
  actor: Pick<Actor, 'accountId'>,
  ask: PageAsk = firstPage,
) {
  const { prisma } = core
  await requireStaff(prisma, actor, ['ops'])
  return listPage(core, { state: { in: [...openAgreementStates, ...executedStates] } }, ask)
}

/** @throws Problem `not_found` for people who belong to neither side nor to our staff */
export async function read(core: Core, agreementId: string, actor: Pick<Actor, 'accountId'>) {
  const { prisma } = core
  const row = await find(core, agreementId)
  const party = await findReader(core, row, actor)
  const [versions, signatories, events, executed] = await Promise.all([
    prisma.agreementVersion.findMany({
      where: { agreementId: row.id },
      omit: { bytes: true },
      orderBy: { number: 'desc' },
    }),
    prisma.agreementSignatory.findMany({ where: { agreementId: row.id } }),
    prisma.workflowEvent.findMany({
      where: { subjectKind: agreementKind, subjectId: row.id },
      orderBy: { id: 'asc' },
    }),
    prisma.agreementExecuted.findUnique({ where: { agreementId: row.id }, omit: { bytes: true } }),
  ])
  const accounts = await prisma.account.findMany({
    where: { id: { in: signatories.flatMap(({ accountId }) => accountId ?? []) } },
    select: { id: true, email: true },
  })
  const open = row.executedAt === null && row.endedAt === null
  const candidates = open ? await findCandidates(core, row, party, signatories) : []
  const offered = versions.find(({ number }) => number === row.number)
  if (!offered) throw new Problem('not_found')
  return {
    ...toListed(row),
    rejected: row.rejectedNumber === row.number,
    level: row.level,
    dataClasses: row.dataClasses,
    purposes: row.purposes,
    endReason: row.endReason,
    retainUntil: row.retainUntil,
    you: { kind: party.kind, side: party.side },
    offered,
    versions,
    executed,
    events,
    task: row.returnTask,
    signatures: row.signatures.filter(({ number }) => number === row.number),
    /** People who could sign for the reader's side, if the named signatory no longer may. */
    candidates,
    signatories: signatories.map(({ side, accountId, legalName, title }) => ({
      side: side as SigningSide,
      legalName,
      title,
      isYou: accountId !== null && accountId === actor.accountId,
      maskedEmail: maskEmail(accounts.find(({ id }) => id === accountId)?.email ?? ''),
    })),
  }
}

async function findCandidates(
  { prisma }: Core,
  row: Row,
  { kind, side }: AgreementParty,
  signatories: readonly AgreementSignatory[],
) {
  const named = signatories.find((signatory) => signatory.side === side)
  if ((side !== 'developer' && side !== 'practice') || !named) return []
  const mayName = agreementWorkflow.rows.some(
    ({ from, event, actors }) =>
      from === row.state && event === 'name_signatory' && actors.some((allowed) => allowed === kind),
  )
  if (!mayName || (await maySign(prisma, row, named))) return []
  return findSigners(prisma, row, side)
}

/**
 * The bytes of a version, or of the executed document.
 * @throws Problem `not_found`; an Error if the stored bytes do not match their hash
 */
export async function readFile(
  core: Core,
  agreementId: string,
  file: number | 'executed',
  actor: Pick<Actor, 'accountId'>,
): Promise<Readonly<{ fileName: string; bytes: Uint8Array; sha256: string }>> {
  const { prisma } = core
  const row = await find(core, agreementId)
  await findReader(core, row, actor)
  if (file === 'executed') {
    const executed = await prisma.agreementExecuted.findUnique({ where: { agreementId: row.id } })
    if (!executed) throw new Problem('not_found')
    return checked({ fileName: `${row.kind.replace('_', '-')}-${row.id}-executed.pdf`, ...executed })
  }
  const version = await prisma.agreementVersion.findUnique({
    where: { agreementId_number: { agreementId: row.id, number: file } },
  })
  if (!version) throw new Problem('not_found')
  return checked(version)
}

/** Clinicians don't see the practice's agreements. */
async function findReader({ prisma }: Core, row: Row, actor: Pick<Actor, 'accountId'>) {
  const party = await findAgreementParty(prisma, row, actor)
  if (party.kind === 'practice_clinician') throw new Problem('not_found')
  return party
}

async function find({ prisma }: Core, agreementId: string): Promise<Row> {
  const row = await prisma.agreement.findUnique({ where: { id: rowId(agreementId) }, include: listedFields })
  if (!row) throw new Problem('not_found')
  return row
}

export type AgreementPage = Awaited<ReturnType<typeof read>>

function checked<T extends { fileName: string; bytes: Uint8Array; sha256: string }>(file: T) {
  const { fileName, bytes, sha256 } = file
  if (sha256Of(bytes) !== sha256) throw new Error(`the stored bytes of ${fileName} are not what was stored`)
  return { fileName, bytes, sha256 }
}

export type ListedAgreement = ReturnType<typeof toListed>

function toListed(row: Row) {
  const signed = row.signatures
    .filter(({ number }) => number === row.number)
    .map(({ side, at }) => ({ side: side as SigningSide, at }))
  const sides: readonly SigningSide[] = sidesOf[row.kind as AgreementKind]
  return {
    id: row.id,
    kind: row.kind as AgreementKind,
    state: row.state as AgreementState,
    version: row.version,
    organization: row.organization,
    practice: row.practice,
    replacesId: row.replacesId,
    signed,
    /** The sides whose signature is missing. */
    waitsFor:
      row.executedAt === null && row.endedAt === null
        ? sides.filter((side) => !signed.some((signature) => signature.side === side))
        : [],
    createdAt: row.createdAt,
    executedAt: row.executedAt,
    effectiveAt: row.effectiveAt,
    expiresAt: row.expiresAt,
    endsAt: row.endsAt,
    endedAt: row.endedAt,
    returnTask: row.returnTask && { dueAt: row.returnTask.dueAt, attestedAt: row.returnTask.attestedAt },
  }
}
