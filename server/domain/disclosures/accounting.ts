/** A patient's accounting of disclosures, 45 CFR 164.528, from the practice's access log. */
import { sealAccess } from '../../audit/access-seal.ts'
import {
  countUnnamed,
  type DisclosureGroup,
  disclosureGroupsMax,
  listDisclosures,
} from '../../audit/disclosures.ts'
import { type FhirType, fhirRegistry } from '../../contract/fhir/registry.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import {
  type DisclosureException,
  disclosureYearsMax,
  exceptionOf,
} from '../../contract/portal/disclosures.ts'
import { purposes } from '../../contract/rest/purposes.ts'
import { typeLabel } from '../../contract/smart/scope-labels.ts'
import { subjectKey } from '../access-use/figures.ts'
import { nameSubjects, subjectOf } from '../access-use/read-use.ts'
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { readOwnPatient } from '../patients/read-own-patient.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { recordLook } from './find-patients.ts'

export type AccountingInput = Readonly<{
  practiceId: string
  patientId: string
  /** Dates in the office's zone, both included. */
  from: string
  to: string
  /** Whether disclosures that the rule excepts are listed, too. */
  all: boolean
}>

export type Accounting = Awaited<ReturnType<typeof account>>
export type Disclosure = ReturnType<typeof toDisclosures>[number]

const idPattern = /^[A-Za-z0-9.-]{1,64}$/

/** @throws Problem `not_found`, `forbidden` (admins only), `validation` */
export async function account(core: Core, input: AccountingInput, actor: Actor) {
  const { practiceId, patientId, from, to, all } = input
  const { prisma, calendar, clock } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  const practice = await prisma.practice.findUniqueOrThrow({
    where: { id: practiceId },
    select: { id: true, name: true, slug: true, datasetId: true },
  })
  const at = clock()
  const period = periodOf(core, { from, to }, at)
  const patient = await identify(core, practice, patientId)
  const { access: lastId } = await sealAccess(core)
  const query = { practiceId, patientId, ...period, lastId }
  const [groups, unnamed] = await Promise.all([listDisclosures(core, query), countUnnamed(core, query)])
  if (groups.length > disclosureGroupsMax) throw wrong('from', 'Choose a shorter period.')
  if (groups.length === 0 && patient.name === null) throw new Problem('not_found')
  const found = toDisclosures(groups, await findRecipients(core, groups))
  await recordLook(core, practiceId, actor, { action: 'account_disclosures', patientIds: [patientId] })
  const { id, name, slug } = practice
  return {
    ...{ practice: { id, name, slug }, patient, from, to, zone: calendar.zone, all, at, unnamed },
    disclosures: all ? found : found.filter(({ exception }) => exception === null),
    /** The numbers of excepted disclosures, by exception. */
    leftOut: countLeftOut(all ? [] : found),
    /** The last row of the access log that the audit chain covers. */
    sealedTo: lastId,
  }
}

const wrong = (field: string, message: string) => new Problem('validation', { field, message })

/** Converts dates in the office's zone to instants. @throws Problem `validation` */
function periodOf({ calendar }: Core, dates: { from: string; to: string }, now: Date) {
  const { from, to } = dates
  const today = calendar.dateOf(now)
  if (!isDate(from)) throw wrong('from', 'Enter the first day of the period.')
  if (!isDate(to) || to < from) throw wrong('to', 'Enter a last day that is not before the first day.')
  if (to > today) throw wrong('to', 'The last day can’t be in the future.')
  const oldest = `${Number(today.slice(0, 4)) - disclosureYearsMax}${today.slice(4)}`
  if (from < oldest)
    throw wrong('from', `The first day can be at most ${disclosureYearsMax} years before today.`)
  // The calendar returns the last second of a day.
  const startOf = (date: string) => new Date(calendar.endOf(addDays(date, -1)).getTime() + 1_000)
  return { from: startOf(from), to: startOf(addDays(to, 1)) }
}

function isDate(text: string): boolean {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(text)
}

/** @throws Problem `not_found` */
async function identify(core: Core, { datasetId }: { datasetId: number }, patientId: string) {
  if (!idPattern.test(patientId)) throw new Problem('not_found')
  const resource = await readOwnPatient(core, datasetId, patientId)
  if (resource === null) return { id: patientId, name: null, birthDate: null }
  const { name, birthDate } = summarizePatient(resource.content, null)
  return { id: patientId, name, birthDate }
}

/**
 * Merges groups with the same description, because several actions return the same records.
 * @param groups ordered by their first disclosure
 */
export function mergeDisclosures<Description extends object>(
  groups: readonly DisclosureGroup[],
  describe: (group: DisclosureGroup) => Description,
) {
  const merged = new Map<string, Description & Pick<DisclosureGroup, 'count' | 'firstAt' | 'lastAt'>>()
  for (const group of groups) {
    const { recipientId, count, firstAt, lastAt } = group
    const description = describe(group)
    const key = JSON.stringify([recipientId, description])
    const known = merged.get(key) ?? { ...description, count: 0, firstAt, lastAt }
    const latest = new Date(Math.max(known.lastAt.getTime(), lastAt.getTime()))
    merged.set(key, { ...known, count: known.count + count, lastAt: latest })
  }
  return [...merged.values()]
}

const toDisclosures = (groups: readonly DisclosureGroup[], recipients: ReadonlyMap<string, Recipient>) =>
  mergeDisclosures(groups, ({ recipientId, principalKind, ...group }) => ({
    recipient: recipients.get(recipientId) ?? { name: `Deleted: ${recipientId}`, through: null },
    what: describeDisclosure(group),
    purpose: describePurpose(group.purpose),
    /** The rule's exception for this disclosure; null if it must be listed. */
    exception: exceptionOf(group.purpose, principalKind),
  }))

function countLeftOut(found: readonly Disclosure[]): Record<DisclosureException, number> {
  const leftOut = { care: 0, individual: 0, authorization: 0 }
  for (const { exception, count } of found) if (exception !== null) leftOut[exception] += count
  return leftOut
}

// Brief descriptions of disclosures, without contents of the chart.

/** Actions whose responses contain more, or something else, than records of their type. */
const actionWords: Readonly<Record<string, string>> = {
  ccda: 'Clinical summary (CCD)',
  everything: 'Whole chart',
  summary: 'Summary of the chart',
  view_chart: 'Whole chart',
  authorize: 'Name and birth date',
  list_allowed_apps: 'Name',
}

/** Types whose label on the consent page addresses the patient. */
const typeWords: Readonly<Record<string, string>> = {
  Patient: 'Demographics: name, identifiers, birth date, address, contact',
  Group: 'List of patients',
}

type Described = Readonly<{ action: string; resourceType: string | null }>

export function describeDisclosure({ action, resourceType }: Described): string {
  const words = Object.hasOwn(actionWords, action) ? actionWords[action] : undefined
  if (words !== undefined) return words
  const type = resourceType === null ? 'Records' : describeType(resourceType)
  return action === 'export_file' ? `Bulk export: ${type}` : type
}

function describeType(type: string): string {
  if (Object.hasOwn(typeWords, type)) return typeWords[type] ?? type
  return Object.hasOwn(fhirRegistry, type) ? typeLabel(type as FhirType) : type
}

export const describePurpose = (purpose: string): string =>
  Object.hasOwn(purposes, purpose) ? purposes[purpose as keyof typeof purposes] : purpose

// The recipients of disclosures: the organization, with its key, app or system.

type Recipient = Readonly<{
  /** The name of the organization, or of the person if there is no organization. */
  name: string
  /** The name of the key, app or system; null for a person. */
  through: string | null
}>

/** @returns the recipients by `recipientId`; deleted ones are missing */
export async function findRecipients(core: Pick<Core, 'prisma'>, groups: readonly DisclosureGroup[]) {
  const subjects = new Map(
    groups.flatMap(({ principalKind, recipientId, isClient }) => {
      const clientId = isClient ? recipientId : null
      const subject = subjectOf({ principalKind, principalId: recipientId, clientId })
      return subject ? [[recipientId, subject] as const] : []
    }),
  )
  const others = groups.map(({ recipientId }) => recipientId).filter((id) => uuidPattern.test(id))
  const [named, accounts] = await Promise.all([
    nameSubjects(core, [...subjects.values()]),
    core.prisma.account.findMany({ where: { id: { in: others } }, select: { id: true, name: true } }),
  ])
  const readers = [...subjects].flatMap(([recipientId, subject]) => {
    const found = named.get(subjectKey(subject))
    if (!found || found.deleted) return []
    const through = found.prefix ? `${found.name} (key ${found.prefix})` : found.name
    return [[recipientId, { name: found.organizationName, through }] as const]
  })
  return new Map<string, Recipient>([
    ...readers,
    ...accounts.map(({ id, name }) => [id, { name, through: null }] as const),
  ])
}
