/** Looks at the days that are not over, and at those just over, and alerts practices of what is unusual. */
import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import {
  type AlertRuleId,
  type AlertSettings,
  alertRuleIds,
  alertRules,
  leastFigures,
  networksOfOneCallerMax,
  normDaysMin,
} from '../../contract/portal/access-alerts.ts'
import { useDays } from '../../contract/portal/access-use.ts'
import { addDays, dateIn, minutesIn, weekdayOf } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { findPracticePeople } from '../practices/practice-role.ts'
import { findSettings } from './alert-settings.ts'
import { countNow } from './count-days.ts'
import { type Figures, ranked, subjectKey, type UseDay } from './figures.ts'
import { nameSubjects } from './read-use.ts'

type NewAlert = Omit<Prisma.AccessAlertCreateManyInput, 'id' | 'createdAt'> & { id: string; createdAt: Date }

/** In an email; the page has all of them. */
const emailedMax = 20

/** Yesterday too: its last hours came after the last look. An alert is raised once. @returns how many are new */
export async function raiseAlerts(core: Core): Promise<number> {
  const current = await countNow(core)
  const byPractice = new Map<string, UseDay[]>()
  for (const each of current)
    byPractice.set(each.practiceId, [...(byPractice.get(each.practiceId) ?? []), each])
  const settings = await findSettings(core, [...byPractice.keys()])
  let raised = 0
  for (const [practiceId, days] of byPractice) {
    const own = settings.get(practiceId)
    if (own) raised += await raiseFor(core, { practiceId, days, settings: own })
  }
  return raised
}

async function raiseFor(
  core: Core,
  {
    practiceId,
    days,
    settings,
  }: Readonly<{ practiceId: string; days: readonly UseDay[]; settings: AlertSettings }>,
): Promise<number> {
  const { prisma, clock } = core
  const subjects = [...new Map(days.map(({ subject }) => [subjectKey(subject), subject])).values()]
  const first = days.map(({ day }) => day).sort()[0] ?? ''
  const [names, kept] = await Promise.all([
    nameSubjects(core, subjects),
    prisma.accessDay.findMany({
      where: {
        practiceId,
        subjectId: { in: subjects.map(({ id }) => id) },
        day: { gte: new Date(`${addDays(first, -useDays)}T00:00:00Z`) },
      },
    }),
  ])
  const history = new Map<string, Map<string, Figures>>()
  const remember = (key: string, day: string, figures: Figures) =>
    history.set(key, (history.get(key) ?? new Map()).set(day, figures))
  for (const row of kept)
    remember(
      `${row.subjectKind} ${row.subjectId}`,
      row.day.toISOString().slice(0, 10),
      row.figures as unknown as Figures,
    )
  for (const { subject, day, figures } of days) remember(subjectKey(subject), day, figures)

  const found = days.flatMap(({ subject, day, figures }): NewAlert[] => {
    const key = subjectKey(subject)
    const named = names.get(key)
    if (!named || figures.calls === 0) return []
    const from = addDays(day, -useDays)
    const before = [...(history.get(key) ?? [])]
      .map(([of, own]) => ({ day: of, figures: own }))
      .filter((each) => each.day >= from && each.day < day && each.figures.calls > 0)
    const findings = judge(
      {
        ...{ today: { day, figures }, before },
        oneCaller: named.audience === 'key' || named.audience === 'backend',
      },
      settings,
    )
    return findings.map((finding) => ({
      ...{ id: randomUUID(), practiceId, ...finding, subjectKind: subject.kind, subjectId: subject.id },
      ...{ name: named.name, organizationName: named.organizationName, createdAt: clock() },
      day: new Date(`${day}T00:00:00Z`),
    }))
  })
  if (found.length === 0) return 0
  return prisma.$transaction(async (tx) => {
    const raised = await tx.accessAlert.createManyAndReturn({ data: found, skipDuplicates: true })
    if (raised.length > 0 && settings.byEmail) await notify(core, tx, practiceId, raised)
    return raised.length
  })
}

async function notify(
  core: Core,
  tx: Prisma.TransactionClient,
  practiceId: string,
  raised: readonly { rule: string; name: string; organizationName: string; day: Date; explanation: string }[],
): Promise<void> {
  const practice = await tx.practice.findUniqueOrThrow({ where: { id: practiceId } })
  for (const { name, email } of await findPracticePeople(tx, practiceId, ['admin']))
    await core.mail.enqueue(tx, {
      template: 'access-alerts',
      to: email,
      props: {
        name,
        practiceName: practice.name,
        practiceSlug: practice.slug,
        total: raised.length,
        alerts: raised.slice(0, emailedMax).map((alert) => ({
          keyName: alert.name,
          organizationName: alert.organizationName,
          rule: alertRules[alert.rule as keyof typeof alertRules].label,
          day: alert.day.toISOString().slice(0, 10),
          explanation: alert.explanation,
        })),
      },
      correlationId: randomUUID(),
    })
}

// What is unusual about one day of a key or app, beside the 30 days before. Pure: the figures in, the alerts out.

export type DayFigures = Readonly<{ day: string; figures: Figures }>

type Judged = Readonly<{
  today: DayFigures
  /** Of the 30 days before, those with calls, in any order. */
  before: readonly DayFigures[]
  /** Keys and backend systems: one caller. Apps of people have many. */
  oneCaller: boolean
}>

type Finding = Readonly<{ rule: AlertRuleId; explanation: string }>

const n = (count: number) => count.toLocaleString('en-US', { maximumFractionDigits: 1 })

/** @returns at most one of each rule that is on */
export function judge(judged: Judged, settings: AlertSettings): Finding[] {
  return alertRuleIds.flatMap((rule) => {
    const { on, threshold } = settings.rules[rule]
    if (!on || (alertRules[rule].oneCaller && !judged.oneCaller)) return []
    const explanation = rules[rule](judged, threshold, settings)
    return explanation === null ? [] : { rule, explanation }
  })
}

/** @returns how it came about, in sentences; null for nothing unusual */
type Rule = (judged: Judged, threshold: number, settings: AlertSettings) => string | null

const rules: Readonly<Record<AlertRuleId, Rule>> = {
  volume({ today, before }, times) {
    const norm = normOf(before.map(({ figures }) => figures.calls))
    const { calls } = today.figures
    if (norm === null || calls < leastFigures.calls || calls <= norm * times) return null
    return `${n(calls)} calls. Usual: ${n(norm)}, the median of the ${before.length} days with calls in the 30 days before. The limit is ${n(times)} times that.`
  },

  new_network({ today, before }, least) {
    const seen = new Set(before.flatMap(({ figures }) => Object.keys(figures.networks)))
    if (before.length < normDaysMin || seen.size > networksOfOneCallerMax) return null
    const fresh = ranked(today.figures.networks).filter(
      ([network, calls]) => !seen.has(network) && calls >= least,
    )
    if (fresh.length === 0) return null
    const shown = fresh.slice(0, 5).map(([network, calls]) => `${network} (calls: ${n(calls)})`)
    const more = fresh.length > 5 ? ` and ${n(fresh.length - 5)} more` : ''
    return `Calls from ${shown.join(', ')}${more}. In the 30 days before, calls came from ${n(seen.size)} other ${seen.size === 1 ? 'network' : 'networks'}.`
  },

  browser({ today, before }, least) {
    const { browserCalls } = today.figures
    if (browserCalls < least || before.some(({ figures }) => figures.browserCalls > 0)) return null
    return `${n(browserCalls)} calls from a browser, and none in the 30 days before. A key or secret in a web page can be read by everyone who opens it.`
  },

  out_of_hours({ today, before }, times, settings) {
    const count = outOfHours(today, settings)
    const isOpen = isOpenOn(today.day, settings)
    const alike = before.filter(({ day }) => isOpenOn(day, settings) === isOpen)
    if (before.length < normDaysMin || count < leastFigures.outOfHours) return null
    // A day without any calls is as usual as one with them: an office that rests at weekends has no rows for them.
    const days = daysAlike(today.day, isOpen, settings)
    const counts = alike.map((each) => outOfHours(each, settings))
    const norm = middle([...counts, ...Array<number>(Math.max(0, days - counts.length)).fill(0)])
    if (count <= norm * times) return null
    return `${n(count)} calls outside office hours, which are ${settings.opens}:00 to ${settings.closes}:00 (${settings.zone}) on office days. Usual: ${n(norm)}, the median of the ${days} ${isOpen ? 'office days' : 'days off'} in the 30 days before. The limit is ${n(times)} times that, and at least ${leastFigures.outOfHours}.`
  },

  many_patients({ today, before }, times) {
    const norm = normOf(before.map(({ figures }) => figures.peakPatients))
    const { peakPatients } = today.figures
    if (norm === null || peakPatients < leastFigures.patients || peakPatients <= norm * times) return null
    return `Records of ${n(peakPatients)} patients in one hour. Usual: ${n(norm)}, the median of the busiest hours of the ${before.length} days with calls in the 30 days before. The limit is ${n(times)} times that, and at least ${leastFigures.patients}.`
  },

  bulk_export({ today, before }, least) {
    const { exports } = today.figures
    if (exports < least || before.some(({ figures }) => figures.exports > 0)) return null
    return `Files of ${n(exports)} ${exports === 1 ? 'export' : 'exports'} were downloaded, and none in the 30 days before. An export holds the records of many patients.`
  },
}

function normOf(counts: readonly number[]): number | null {
  return counts.length < normDaysMin ? null : middle(counts)
}

/** The median: a day of abuse does not move it. */
function middle(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b)
  const half = sorted.length / 2
  if (sorted.length === 0) return 0
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2
}

/** Days are in UTC, and hours are full ones: each hour is looked at in the practice's zone. */
function outOfHours({ day, figures }: DayFigures, settings: AlertSettings): number {
  const open = openHours(day, settings)
  return Object.entries(figures.hours).reduce(
    (count, [hour, calls]) => (open[Number(hour)] ? count : count + calls),
    0,
  )
}

/** All keys of a practice share their days. */
const known = new WeakMap<AlertSettings, Map<string, readonly boolean[]>>()

function openHours(day: string, settings: AlertSettings): readonly boolean[] {
  const days = known.get(settings) ?? new Map<string, readonly boolean[]>()
  known.set(settings, days)
  const found =
    days.get(day) ??
    Array.from({ length: 24 }, (_, hour) => {
      const at = new Date(Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000)
      const local = minutesIn(settings.zone, at)
      return (
        settings.days.includes(weekdayOf(dateIn(settings.zone, at))) &&
        local >= settings.opens * 60 &&
        local < settings.closes * 60
      )
    })
  days.set(day, found)
  return found
}

const isOpenOn = (day: string, { days }: AlertSettings) => days.includes(weekdayOf(day))

/** How many of the 30 days before are office days, or days off. */
function daysAlike(day: string, isOpen: boolean, settings: AlertSettings): number {
  const begin = Date.parse(`${day}T00:00:00Z`)
  let count = 0
  for (let back = 1; back <= 30; back += 1)
    if (isOpenOn(new Date(begin - back * 86_400_000).toISOString().slice(0, 10), settings) === isOpen)
      count += 1
  return count
}
