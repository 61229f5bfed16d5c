/** How the keys and apps of a practice are used: by key, in detail, and as a report of a month. */
import { Problem } from '../../contract/http/problems.ts'
import { reportMonths, unknownCountry } from '../../contract/portal/access-use.ts'
import { firstPage, type Listed, type PageAsk, pageOf } from '../../contract/portal/paging.ts'
import { csvLine } from '../../contract/text/csv.ts'
import type { Actor } from '../actor.ts'
import { canDraw, createPageWriter, type Run } from '../agreements/pdf/page-writer.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { readDays } from './count-days.ts'
import { ranked } from './figures.ts'
import { findNetworks } from './networks.ts'
import { describeUse, lastDays, readUse, type Use } from './read-use.ts'

export { forgetDays, keepDays } from './count-days.ts'
export { forgetNetwork, nameNetwork } from './networks.ts'

type Target = Readonly<{ practiceId: string; kind: string; id: string }>

/**
 * Of the last 30 days, the most calls first.
 * @throws Problem `not_found` for a person who does not work there, `forbidden` for who is no admin there
 */
export async function list(
  core: Core,
  { practiceId, ask = firstPage }: Readonly<{ practiceId: string; ask?: PageAsk }>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Listed<Use>> {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin'])
  const used = await readUse(core, practiceId, lastDays(core))
  return pageOf(ask, used, ({ name, organizationName }) => [name, organizationName])
}

/** @throws Problem as `list`, and `not_found` for what was not used in these days */
export async function detail(
  core: Core,
  { practiceId, kind, id }: Target,
  { accountId }: Pick<Actor, 'accountId'>,
) {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin'])
  const days = (await readDays(core, practiceId, lastDays(core))).filter(
    ({ subject }) => subject.kind === kind && subject.id === id,
  )
  const [use] = await describeUse(core, practiceId, days)
  if (!use) throw new Problem('not_found')
  return { use, days: days.map(({ day, figures }) => ({ day, figures })).reverse() }
}

/** Networks that have a name, for the page that changes them. @throws Problem as `list` */
export async function networks(core: Core, practiceId: string, { accountId }: Pick<Actor, 'accountId'>) {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin'])
  return [...(await findNetworks(core, practiceId)).values()]
}

// What each key and app did in a month, as a file.

type Report = Readonly<{
  practice: { name: string; slug: string }
  month: string
  /** The last day, when the month is not over. */
  until: string | null
  at: Date
  uses: readonly Use[]
}>

const heads = [
  'kind',
  'name',
  'organization',
  'calls',
  'served',
  'refused',
  'not found',
  'patients on the busiest day',
  'exports',
  'classes',
  'refusals',
  'networks',
  'countries',
  'last used',
] as const

const notes = [
  'Days begin at midnight UTC.',
  'A response of 404 is not counted as refused.',
  'Patients are different patients on the busiest day. The days of a month do not add up.',
  'Networks are the first 24 bits of an IPv4 address or 48 of an IPv6 address. Countries are those that the practice entered.',
] as const

/** @throws Problem `not_found`, `forbidden` for who is no admin there, `validation` for a month that is not kept */
export async function issueReport(
  core: Core,
  { practiceId, month, format }: Readonly<{ practiceId: string; month: string; format: 'pdf' | 'csv' }>,
  actor: Actor,
): Promise<{ name: string; type: string; bytes: Uint8Array }> {
  const { prisma, clock, portalAudit } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  const at = clock()
  if (!reportMonths(at).includes(month))
    throw new Problem('validation', { field: 'month', message: 'Choose a month of the list.' })
  const today = at.toISOString().slice(0, 10)
  const last = addDays(`${nextMonth(month)}-01`, -1)
  const [until = last] = [last, today].sort()
  const practice = await prisma.practice.findUniqueOrThrow({
    where: { id: practiceId },
    select: { name: true, slug: true },
  })
  const uses = await readUse(core, practiceId, { from: `${month}-01`, until })
  const report: Report = { practice, month, until: until === last ? null : until, at, uses }
  await prisma.$transaction((tx) =>
    portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'practice.use_reported',
      subject: { kind: 'practice', id: practiceId },
      detail: { month, format, rows: uses.length },
    }),
  )
  const name = `use-${practice.slug}-${month}.${format}`
  return format === 'csv'
    ? { name, type: 'text/csv; charset=utf-8', bytes: writeCsv(report) }
    : { name, type: 'application/pdf', bytes: await writePdf(report) }
}

function nextMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return date.toISOString().slice(0, 7)
}

const listed = (counts: Readonly<Record<string, number>>) =>
  ranked(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join('; ')

function countries({ sources }: Use): string {
  const counts: Record<string, number> = {}
  for (const { known, calls } of sources) {
    const country = known?.country ?? unknownCountry
    counts[country] = (counts[country] ?? 0) + calls
  }
  return listed(counts)
}

function writeCsv({ practice, month, until, at, uses }: Report): Uint8Array {
  const lines = [
    ['Use of keys and apps', practice.name],
    ['Month', month, until === null ? 'complete' : `until ${until}`],
    ['Made', at],
    ...notes.map((note) => ['Note', note]),
    [],
    [...heads],
    ...uses.map((use) => [
      use.label,
      use.name,
      use.organizationName,
      use.figures.calls,
      use.figures.served,
      use.refused,
      use.figures.notFound,
      use.figures.patients,
      use.figures.exports,
      use.classes.join('; '),
      listed(use.figures.refusals),
      listed(use.figures.networks),
      countries(use),
      use.figures.lastAt,
    ]),
  ]
  // Spreadsheets take a file without this mark for one in an old encoding.
  return new TextEncoder().encode(`\uFEFF${lines.map(csvLine).join('')}`)
}

async function writePdf({ practice, month, until, at, uses }: Report): Promise<Uint8Array> {
  const writer = createPageWriter({
    title: 'Use of keys and apps',
    at,
    footer: `${drawable(practice.name)} · use of keys and apps, ${month}`,
  })
  const facts = (rows: readonly (readonly [string, string])[]) =>
    writer.facts(rows.map(([label, value]) => [[said(label)], [said(value)]] as const))
  writer.heading('Use of keys and apps', 1)
  facts([
    ['Practice', practice.name],
    ['Month', until === null ? month : `${month}, until ${until}`],
    ['Made', at.toISOString()],
  ])
  if (uses.length === 0) writer.paragraph([said('No key or app was used in this month.')])
  for (const use of uses) {
    const { calls, served, notFound, patients, exports, refusals, networks, lastAt } = use.figures
    writer.heading(drawable(`${use.name} · ${use.organizationName}`), 2)
    facts([
      ['Kind', use.label],
      ['Calls', `${calls}: ${served} served, ${use.refused} refused, ${notFound} not found`],
      ['Patients', `${patients} on the busiest day`],
      ['Exports', String(exports)],
      ['Classes', use.classes.join('; ') || 'None'],
      ['Refusals', listed(refusals) || 'None'],
      ['Networks', listed(networks) || 'None'],
      ['Countries', countries(use) || 'None'],
      ['Last used', lastAt ?? 'Never'],
    ])
  }
  writer.heading('About this report', 2)
  for (const note of notes) writer.paragraph([said(note)], { indent: 24, bullet: '•' })
  return writer.finish()
}

function said(text: string): Run {
  return { text: drawable(text), font: 'regular' }
}

/** A name in a script that the typeface lacks shows question marks; the CSV has all of it. */
function drawable(text: string): string {
  return [...text].map((character) => (canDraw(character) ? character : '?')).join('')
}
