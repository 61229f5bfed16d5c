/** A simulated month of normal use with planted abuses: each is found, and hardly anything else. */
import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../tests/support/random-use.ts'
import {
  type AlertRuleId,
  type AlertSettings,
  alertRuleIds,
  alertRules,
  defaultHours,
} from '../../contract/portal/access-alerts.ts'
import { addDays, hourIn, weekdayOf } from '../business-days/calendar-date.ts'
import type { Figures } from './figures.ts'
import { type DayFigures, judge } from './raise-alerts.ts'

const zone = 'America/Denver'
const settings: AlertSettings = {
  ...{ version: 0, byEmail: true, zone, ...defaultHours },
  rules: Object.fromEntries(
    alertRuleIds.map((id) => [id, { on: true, threshold: alertRules[id].threshold }]),
  ) as AlertSettings['rules'],
}
const first = '2026-09-01'
const learned = 30
const month = 30

type Random = ReturnType<typeof randomOf>
type Caller = Readonly<{
  oneCaller: boolean
  /** Calls of a day by local hour; null for a day without any. */
  callsAt(weekday: number, random: Random): Readonly<Record<number, number>>
  networks: readonly string[]
  /** Of the calls, those that read another patient. */
  patientsOf: number
  exportsOn?: number
  fromBrowser?: boolean
}>

/** About that many, as people do: half to one and a half times, and now and then twice as many. */
const about = (count: number, random: Random) =>
  Math.round(count * (0.5 + random()) * (random() < 0.05 ? 2 : 1))
const isWeekday = (weekday: number) => weekday >= 1 && weekday <= 5
const spread = (calls: number, hours: readonly number[]) =>
  Object.fromEntries(hours.map((hour) => [hour, Math.round(calls / hours.length)]))
const office = [8, 9, 10, 11, 13, 14, 15, 16]

const callers: Readonly<Record<string, Caller>> = {
  'a nightly import': {
    ...{ oneCaller: true, networks: ['203.0.113.0/24', '198.51.100.0/24'], patientsOf: 0.2 },
    callsAt: (_, random) => ({ 2: about(900, random), 3: about(200, random) }),
  },
  'an intake form': {
    ...{ oneCaller: true, networks: ['203.0.113.0/24'], patientsOf: 0.5 },
    callsAt: (weekday, random) => (isWeekday(weekday) ? spread(about(160, random), office) : {}),
  },
  'a key used now and then': {
    ...{ oneCaller: true, networks: ['192.0.2.0/24'], patientsOf: 1 },
    callsAt: (weekday, random): Record<number, number> =>
      isWeekday(weekday) && random() < 0.6 ? { 10: about(8, random) } : {},
  },
  'a backend system that exports every week': {
    ...{ oneCaller: true, networks: ['203.0.113.0/24'], patientsOf: 0.05, exportsOn: 0 },
    callsAt: (_, random) => spread(about(240, random), [...Array(24).keys()]),
  },
  'an app of patients': {
    ...{ oneCaller: false, networks: [], patientsOf: 0.3, fromBrowser: true },
    callsAt: (_, random) => spread(about(400, random), [7, 8, 12, 18, 19, 20, 21]),
  },
}

const utcHours = new Map<string, number>()
function utcHour(day: string, hour: number): number {
  const key = `${day} ${hour}`
  const isThen = (utc: number) => hourIn(zone, new Date(Date.parse(day) + utc * 3_600_000)) === hour
  const found = utcHours.get(key) ?? [...Array(24).keys()].find(isThen) ?? hour
  utcHours.set(key, found)
  return found
}

function dayOf(caller: Caller, day: string, random: Random): DayFigures {
  const weekday = weekdayOf(day)
  const hours: Record<string, number> = {}
  for (const [hour, calls] of Object.entries(caller.callsAt(weekday, random)))
    if (calls > 0) hours[utcHour(day, Number(hour))] = calls
  const calls = Object.values(hours).reduce((sum, count) => sum + count, 0)
  const homes = Array.from({ length: 20 }, () => `100.64.${Math.floor(random() * 256)}.0/24`)
  const networks = caller.networks.length > 0 ? caller.networks : homes
  const figures: Figures = {
    ...{ calls, served: calls, notFound: 0, refusals: {}, types: {}, hours },
    networks: calls === 0 ? {} : Object.fromEntries(networks.map((network) => [network, calls])),
    browserCalls: caller.fromBrowser ? calls : 0,
    patients: Math.round(calls * caller.patientsOf),
    peakPatients: Math.round(Math.max(0, ...Object.values(hours)) * caller.patientsOf),
    exports: caller.exportsOn === weekday ? 1 : 0,
    lastAt: null,
  }
  return { day, figures }
}

const daysOf = (caller: Caller, random: Random) =>
  Array.from({ length: learned + month }, (_, place) => dayOf(caller, addDays(first, place), random))

const judgeDay = (caller: Caller, days: readonly DayFigures[], place: number) => {
  const today = days[place]
  if (!today || today.figures.calls === 0) return []
  const before = days.slice(place - 30, place).filter(({ figures }) => figures.calls > 0)
  return judge({ today, before, oneCaller: caller.oneCaller }, settings)
}

/** What a thief does with a stolen key, on top of its normal use. */
const abuses: Readonly<Record<AlertRuleId, (figures: Figures) => Figures>> = {
  volume: (figures) => ({ ...figures, calls: figures.calls * 5 + 500 }),
  new_network: (figures) => ({ ...figures, networks: { ...figures.networks, '100.99.7.0/24': 3 } }),
  browser: (figures) => ({ ...figures, browserCalls: 2 }),
  // 21:00 to 24:00 in Denver, of the day before.
  out_of_hours: (figures) => ({ ...figures, hours: { ...figures.hours, 4: (figures.hours[4] ?? 0) + 150 } }),
  many_patients: (figures) => ({ ...figures, peakPatients: figures.peakPatients * 5 + 100 }),
  bulk_export: (figures) => ({ ...figures, exports: 1 }),
}
const seeds = Array.from({ length: 40 }, (_, seed) => seed + 1)

describe('a simulated month', () => {
  test.each(Object.entries(callers))('of %s: at most one false alert', (_, caller) => {
    const counts = seeds.map((seed) => {
      const days = daysOf(caller, randomOf(seed))
      return Array.from({ length: month }, (__, at) => judgeDay(caller, days, learned + at)).flat().length
    })
    expect(Math.max(...counts), counts.join(' ')).toBeLessThanOrEqual(1)
  })

  test.each(alertRuleIds)('with a planted abuse: %s is found, and explained', (rule) => {
    const caller = callers['an intake form'] as Caller
    const found = seeds.map((seed) => {
      const random = randomOf(seed)
      const days = daysOf(caller, random)
      const working = days.flatMap(({ figures }, place) =>
        place >= learned && figures.calls > 0 ? [place] : [],
      )
      const place = working[Math.floor(random() * working.length)] ?? 0
      const today = days[place] as DayFigures
      days[place] = { ...today, figures: abuses[rule](today.figures) }
      return judgeDay(caller, days, place).filter((finding) => finding.rule === rule)
    })
    expect(found.filter(({ length }) => length === 1)).toHaveLength(seeds.length)
    for (const [finding] of found) expect(finding?.explanation).toMatch(/\d.*30 days before/)
  })

  test('with five planted abuses in one month: five are found, and at most one more', () => {
    const caller = callers['an intake form'] as Caller
    for (const seed of seeds) {
      const days = daysOf(caller, randomOf(seed))
      const working = days.flatMap(({ figures }, place) =>
        place >= learned && figures.calls > 0 ? [place] : [],
      )
      const planted = (
        ['volume', 'new_network', 'out_of_hours', 'many_patients', 'bulk_export'] as const
      ).map((rule, at) => ({ rule, place: working[at * 4 + (seed % 4)] ?? 0 }))
      for (const { rule, place } of planted) {
        const today = days[place] as DayFigures
        days[place] = { ...today, figures: abuses[rule](today.figures) }
      }
      const found = Array.from({ length: month }, (_, at) =>
        judgeDay(caller, days, learned + at).map(({ rule }) => `${rule} ${learned + at}`),
      ).flat()
      const wanted = planted.map(({ rule, place }) => `${rule} ${place}`)
      expect(found).toEqual(expect.arrayContaining(wanted))
      expect(found.length, found.join(', ')).toBeLessThanOrEqual(wanted.length + 1)
    }
  })
})

test('a rule that is off, an app of people and a short history raise nothing', () => {
  const caller = callers['an intake form'] as Caller
  const days = daysOf(caller, randomOf(1)).filter(({ figures }) => figures.calls > 0)
  const [before, last] = [days.slice(-21, -1), days.at(-1) as DayFigures]
  const today = {
    ...last,
    figures: alertRuleIds.reduce((figures, rule) => abuses[rule](figures), last.figures),
  }
  const judged = { today, before, oneCaller: true }
  const rulesOf = (changes: object, own = settings) =>
    judge({ ...judged, ...changes }, own).map(({ rule }) => rule)
  expect(rulesOf({}).sort()).toEqual([...alertRuleIds].sort())
  for (const off of alertRuleIds) {
    const rules = { ...settings.rules, [off]: { ...settings.rules[off], on: false } }
    expect(rulesOf({}, { ...settings, rules })).not.toContain(off)
  }
  expect(rulesOf({ oneCaller: false }).sort()).toEqual(['bulk_export', 'many_patients', 'volume'])
  expect(rulesOf({ before: before.slice(0, 6) }).sort()).toEqual(['browser', 'bulk_export'])
  expect(rulesOf({ before: [] }).sort()).toEqual(['browser', 'bulk_export'])
})
