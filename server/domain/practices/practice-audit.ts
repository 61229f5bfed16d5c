/** A practice's audit: access to records, and changes in the portal; for its admins. */
import type { AccessEntry, AccessFilter } from '../../audit/access-log.ts'
import * as accessLog from '../../audit/access-log.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { subjectKey } from '../access-use/figures.ts'
import { nameSubjects, subjectOf } from '../access-use/read-use.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { recordLook } from '../disclosures/find-patients.ts'
import { readNames } from '../patients/read-own-patient.ts'
import { requirePracticeRole } from './practice-role.ts'

type NamesReader = Pick<Actor, 'accountId' | 'correlationId'>
type PortalChange = Readonly<{ id: string; at: Date; who: string; action: string; subject: string }>

const fileRowsMax = 50_000
const admins = ['admin'] as const

/** Showing patients' names is itself recorded as access. @throws Problem `not_found`, `forbidden` (admins only), `validation` */
export async function access(core: Core, practiceId: string, filter: AccessFilter, actor: NamesReader) {
  await requirePracticeRole(core.prisma, { practiceId, accountId: actor.accountId }, admins)
  const { rows, next } = await accessLog.page(core, practiceId, filter)
  return { rows: await withNames(core, practiceId, rows, actor), next }
}

/** The access log as a file, page by page, 50,000 rows at most. */
export async function* file(core: Core, practiceId: string, filter: AccessFilter, reader: NamesReader) {
  let [before, count] = [filter.before, 0]
  do {
    const { rows, next } = await access(core, practiceId, { ...filter, before, limit: 1_000 }, reader)
    yield rows.slice(0, fileRowsMax - count)
    count += rows.length
    before = next ?? undefined
  } while (before !== undefined && count < fileRowsMax)
}

/** Adds the names of the key or app, the person who used it, and the patient. */
async function withNames(core: Core, practiceId: string, rows: readonly AccessEntry[], actor: NamesReader) {
  const { prisma } = core
  const subjects = rows.map(subjectOf)
  const uuids = [...new Set(rows.map(({ principalId }) => principalId))].filter((id) => uuidPattern.test(id))
  const references = rows.flatMap(({ principalId, patientId }) => [principalId, `Patient/${patientId}`])
  const { datasetId } = await prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })
  const [named, grants, accounts, inCharts] = await Promise.all([
    nameSubjects(
      core,
      subjects.filter((subject) => subject !== null),
    ),
    prisma.grant.findMany({
      where: { id: { in: uuids } },
      select: { id: true, account: { select: { name: true } } },
    }),
    prisma.account.findMany({ where: { id: { in: uuids } }, select: { id: true, name: true } }),
    readNames(core, datasetId, references),
  ])
  const people = new Map([
    ...inCharts,
    ...grants.flatMap(({ id, account }) => (account ? [[id, account.name] as const] : [])),
    ...accounts.map(({ id, name }) => [id, name] as const),
  ])
  const patientIds = [...inCharts.keys()].flatMap((reference) =>
    reference.startsWith('Patient/') ? [reference.slice('Patient/'.length)] : [],
  )
  if (patientIds.length > 0)
    await recordLook(core, practiceId, actor, { action: 'view_access_record', patientIds })
  return rows.map((row, place) => {
    const subject = subjects[place]
    const reader = subject && named.get(subjectKey(subject))
    const person = people.get(row.principalId) ?? null
    return {
      ...row,
      /** The key or app; null for a person in the portal. */
      subject: reader ? { kind: reader.kind, id: reader.id } : null,
      /** The name of the key or app, or of the person in the portal. */
      who: reader?.name ?? person ?? (row.principalKind === 'session' ? 'Deleted account' : 'Sandpiper'),
      organizationName: reader?.organizationName ?? null,
      /** The prefix of a key; null for others. */
      prefix: reader?.prefix ?? null,
      /** The name of the person who used the app. */
      person: reader ? person : null,
      patientName: inCharts.get(`Patient/${row.patientId}`) ?? null,
    }
  })
}

/** Changes to this practice in the portal, by people and jobs, the newest first. */
export async function changes(
  { prisma }: Core,
  practiceId: string,
  { before, limit }: { before?: string | undefined; limit: number },
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<{ rows: PortalChange[]; next: string | null }> {
  await requirePracticeRole(prisma, { practiceId, accountId }, admins)
  const cursor = before !== undefined && /^\d{1,18}$/.test(before) ? { id: { lt: BigInt(before) } } : {}
  const rows = await prisma.auditEvent.findMany({
    where: { practiceId, ...cursor },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const accounts = await prisma.account.findMany({
    where: {
      id: { in: shown.flatMap(({ actorId }) => (actorId && uuidPattern.test(actorId) ? [actorId] : [])) },
    },
    select: { id: true, name: true, realm: true },
  })
  const names = new Map(accounts.map(({ id, name, realm }) => [id, realm === 'staff' ? 'Sandpiper' : name]))
  const last = shown.at(-1)
  return {
    rows: shown.map(({ id, at, actorKind, actorId, action, subjectKind }) => ({
      id: String(id),
      at,
      who: actorKind === 'system' ? 'Sandpiper' : ((actorId && names.get(actorId)) ?? 'Somebody'),
      action,
      subject: subjectKind,
    })),
    next: rows.length > limit && last ? String(last.id) : null,
  }
}
