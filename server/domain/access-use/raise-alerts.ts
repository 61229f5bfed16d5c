/** Checks yesterday and today, and alerts practices of unusual use. */
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

/** The limit of alerts in an email; the page has all of them. */
const emailedMax = 20

/** Yesterday is checked too, because its last hours came after the last run. @returns the number of new alerts */
export async function raiseAlerts(core: Core): Promise<number> {
  const current = await countNow(core)
  const byPractice = new Map<string, UseDay[]>()
  for (const day of current) byPractice.set(day.practiceId, [...(byPractice.get(day.practiceId) ?? []), day])
  const settings = await findSettings(core, [...byPractice.keys()])
  let raised = 0
  for (const [practiceId, days] of byPractice) {
    const practiceSettings = settings.get(practiceId)
    if (practiceSettings) raised += await raiseFor(core, { practiceId, days, settings: practiceSettings })
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
  const [names, stored] = await Promise.all([
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
  for (const row of stored)
    remember(
      `${row.subjectKind} ${row.subjectId}`,
      row.day.toISOString().slice(0, 10),
      row.figures as unknown as Figures,
    )
  for (const { subject, day, figures } of days) remember(subjectKey(subject), day, figures)

  const alerts = days.flatMap(({ subject, day, figures }): NewAlert[] => {
    const key = subjectKey(subject)
    const named = names.get(key)
    if (!named || figures.calls === 0) return []
    const from = addDays(day, -useDays)
    const before = [...(history.get(key) ?? [])]
      .map(([date, dayFigures]) => ({ day: date, figures: dayFigures }))
      .filter((earlier) => earlier.day >= from && earlier.day < day && earlier.figures.calls > 0)
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
  if (alerts.length === 0) return 0
  return prisma.$transaction(async (tx) => {
    const raised = await tx.accessAlert.createManyAndReturn({ data: alerts, skipDuplicates: true })
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

// Compares one day of a key or app with the 30 days before. These functions are pure.

export type DayFigures = Readonly<{ day: string; figures: Figures }>

type Comparison = Readonly<{
  today: DayFigures
  /** Those of the 30 days before that have calls, in any order. */
  before: readonly DayFigures[]
  /** Whether it has a single caller, as keys and backend systems do. Apps of people have many. */
  oneCaller: boolean
}>

type Finding = Readonly<{ rule: AlertRuleId; explanation: string }>

const n = (count: number) => count.toLocaleString('en-US', { maximumFractionDigits: 1 })

/** @returns at most one finding for each rule that is on */
export function judge(comparison: Comparison, settings: AlertSettings): Finding[] {
  return alertRuleIds.flatMap((rule) => {
    const { on, threshold } = settings.rules[rule]
    if (!on || (alertRules[rule].oneCaller && !comparison.oneCaller)) return []
    const explanation = rules[rule](comparison, threshold, settings)
    return explanation === null ? [] : { rule, explanation }
  })
}

/** @returns the explanation of the alert; null if the day is not unusual */
type Rule = (comparison: Comparison, threshold: number, settings: AlertSettings) => string | null

const rules: Readonly<Record<AlertRuleId, Rule>> = {
  volume({ today, before }, times) {
    const norm = normOf(before.map(({ figures }) => figures.calls))
    const { calls } = today.figures
    if (norm === null || calls < leastFigures.calls || calls <= norm * times) return null
    return `${n(calls)} calls. Usual: ${n(norm)}, the median of the ${before.length} days with calls in the 30 days before. The limit is ${n(times)} times that.`
  },

  new_network({ today, before }, least) {
    const earlierNetworks = new Set(before.flatMap(({ figures }) => Object.keys(figures.networks)))
    if (before.length < normDaysMin || earlierNetworks.size > networksOfOneCallerMax) return null
    const fresh = ranked(today.figures.networks).filter(
      ([network, calls]) => !earlierNetworks.has(network) && calls >= least,
    )
    if (fresh.length === 0) return null
    const shown = fresh.slice(0, 5).map(([network, calls]) => `${network} (calls: ${n(calls)})`)
    const more = fresh.length > 5 ? ` and ${n(fresh.length - 5)} more` : ''
    return `Calls from ${shown.join(', ')}${more}. In the 30 days before, calls came from ${n(earlierNetworks.size)} other ${earlierNetworks.size === 1 ? 'network' : 'networks'}.`
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
    // Days without calls have no rows but count as 0, for example weekends of a closed office.
    const days = daysAlike(today.day, isOpen, settings)
    const counts = alike.map((earlier) => outOfHours(earlier, settings))
    const norm = median([...counts, ...Array<number>(Math.max(0, days - counts.length)).fill(0)])
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
  return counts.length < normDaysMin ? null : median(counts)
}

/** The median, which a single day of abuse does not change. */
function median(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b)
  const half = sorted.length / 2
  if (sorted.length === 0) return 0
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2
}

/** Counts calls outside office hours. The hours of a UTC day are converted to the practice's zone. */
function outOfHours({ day, figures }: DayFigures, settings: AlertSettings): number {
  const open = openHours(day, settings)
  return Object.entries(figures.hours).reduce(
    (count, [hour, calls]) => (open[Number(hour)] ? count : count + calls),
    0,
  )
}

/** All keys of a practice share the hours of a day. */
const hoursCache = new WeakMap<AlertSettings, Map<string, readonly boolean[]>>()

function openHours(day: string, settings: AlertSettings): readonly boolean[] {
  const days = hoursCache.get(settings) ?? new Map<string, readonly boolean[]>()
  hoursCache.set(settings, days)
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

/** The number of office days, or of days off, among the 30 days before. */
function daysAlike(day: string, isOpen: boolean, settings: AlertSettings): number {
  const begin = Date.parse(`${day}T00:00:00Z`)
  let count = 0
  for (let back = 1; back <= 30; back += 1)
    if (isOpenOn(new Date(begin - back * 86_400_000).toISOString().slice(0, 10), settings) === isOpen)
      count += 1
  return count
}
