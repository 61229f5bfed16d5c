/** Rules that tell a practice of unusual use of its keys and apps. Plain rules: a person can recompute each. */
import { z } from 'zod'
import { timeZoneField } from '../forms/time-zone.ts'

type AlertRule = Readonly<{
  label: string
  /** What the threshold counts. */
  unit: string
  /** What makes an alert; {n} is the threshold. */
  when: string
  threshold: number
  max: number
  /** Not for apps of people, who call from home, from browsers and at any time. */
  oneCaller: boolean
}>

/** The norm of a rule is made of the 30 days before, and of those of them that had calls; fewer days make no norm. */
export const normDaysMin = 7
/** An alert also needs figures so large that they matter. */
export const leastFigures = { calls: 100, outOfHours: 20, patients: 25 } as const
/** Callers from more networks than this in 30 days change them as they please. */
export const networksOfOneCallerMax = 10

export const alertRules = {
  volume: {
    label: 'More calls than usual',
    unit: 'times the usual number',
    when: 'More calls in a day than {n} times the median of the days with calls in the 30 days before.',
    threshold: 4,
    max: 100,
    oneCaller: false,
  },
  new_network: {
    label: 'New network',
    unit: 'calls',
    when: 'Calls from a network that was not used in the 30 days before: {n} or more.',
    threshold: 1,
    max: 100_000,
    oneCaller: true,
  },
  browser: {
    label: 'From a browser',
    unit: 'calls',
    when: 'Calls from a browser, with none in the 30 days before: {n} or more.',
    threshold: 1,
    max: 100_000,
    oneCaller: true,
  },
  out_of_hours: {
    label: 'Outside office hours',
    unit: 'times the usual number',
    when: 'More calls outside office hours than {n} times the median of days like it.',
    threshold: 4,
    max: 100,
    oneCaller: true,
  },
  many_patients: {
    label: 'Many patients in an hour',
    unit: 'times the usual number',
    when: 'Records of more patients in one hour than {n} times the median of each day’s busiest hour.',
    threshold: 4,
    max: 100,
    oneCaller: false,
  },
  bulk_export: {
    label: 'Bulk export',
    unit: 'exports',
    when: 'Exports downloaded, with none in the 30 days before: {n} or more.',
    threshold: 1,
    max: 1_000,
    oneCaller: false,
  },
} as const satisfies Record<string, AlertRule>

export type AlertRuleId = keyof typeof alertRules
export const alertRuleIds = Object.keys(alertRules) as AlertRuleId[]

export const alertRuleWords = (id: AlertRuleId, threshold: number = alertRules[id].threshold) =>
  alertRules[id].when.replace('{n}', threshold.toLocaleString('en-US'))

export type AlertSettings = Readonly<{
  version: number
  rules: Readonly<Record<AlertRuleId, Readonly<{ on: boolean; threshold: number }>>>
  byEmail: boolean
  opens: number
  closes: number
  /** 0 for Sunday. */
  days: readonly number[]
  zone: string
}>

export const weekdayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

export const defaultHours = { opens: 7, closes: 19, days: [1, 2, 3, 4, 5] } as const

const hour = (least: number) =>
  z.coerce
    .number({ error: 'Choose an hour.' })
    .int('Choose an hour.')
    .min(least, 'Choose an hour.')
    .max(24, 'Choose an hour.')

const threshold = (most: number) => {
  const error = `Enter a number from 1 to ${most.toLocaleString('en-US')}.`
  return z.coerce.number({ error }).int(error).min(1, error).max(most, error)
}

const thresholds = Object.fromEntries(
  alertRuleIds.map((id) => [`threshold_${id}`, threshold(alertRules[id].max)]),
) as Record<`threshold_${AlertRuleId}`, ReturnType<typeof threshold>>

export const alertForms = {
  acknowledge: z.object({ alert: z.uuid() }),
  settings: z
    .object({
      version: z.coerce.number().int().min(0),
      alertsOn: z.array(z.enum(alertRuleIds as [AlertRuleId, ...AlertRuleId[]])).default([]),
      ...thresholds,
      byEmail: z
        .literal('on')
        .optional()
        .transform((value) => value === 'on'),
      opens: hour(0),
      closes: hour(1),
      officeDays: z.array(z.coerce.number().int().min(0).max(6)).default([]),
      timeZone: timeZoneField,
    })
    .superRefine(({ opens, closes }, context) => {
      if (closes <= opens)
        context.addIssue({
          code: 'custom',
          path: ['closes'],
          message: 'Choose a later hour than the first one.',
        })
    }),
} as const
