/** Generates a record: draws the stories of a person, plans the visits and fills them with events. */

import { type ConditionKey, terms } from '../codes/codes.ts'
import { addDays, addMonths, daysBetween, weekday } from '../people/calendar.ts'
import type { Chance } from '../randomness.ts'
import { allStories, exclusive } from '../stories/all-stories.ts'
import type { Story } from '../stories/story.ts'
import type { Traits } from '../traits/traits.ts'
import { ageAt, type Chart, createChart, type Subject } from './chart.ts'

/** The fixed parts of a cast member's record. */
export interface RecordPlan {
  readonly traits?: Partial<Traits>
  /** Replaces the randomly drawn stories. */
  readonly stories?: readonly Story[]
  /** The years with complete visits; two by default. */
  readonly years?: number
  /** The record only has the Patient. */
  readonly empty?: boolean
}

/** Each story has its own stream, so that adding a story does not change the others. */
type ChanceOf = (story: string) => Chance

/** @param stories of a cast member, instead of those that chance draws */
export function tellRecord(subject: Subject, chanceOf: ChanceOf, stories?: readonly Story[]): Chart {
  const chart = createChart(subject)
  const chosen = stories ?? drawStories(subject, chanceOf)
  for (const story of chosen) story.begin?.(chart, chanceOf(`${story.name} begins`))
  const beginnings = foundInTime(chart)
  const planned = plannedVisits(subject, chosen, chanceOf('visits'))
  for (const date of withBeginnings(planned, [...beginnings.keys()])) {
    const main = chosen.find((story) => story.visitsYearly && story.atVisit)
    const known = main && [...chart.physiology.problems].find(([, { from }]) => from <= date)?.[0]
    const begun = beginnings.get(date)
    const condition = chart.problemKey(begun ?? known)
    const visit = chart.visit({
      date,
      type: begun
        ? terms.encounterTypes.symptom
        : condition
          ? terms.encounterTypes.followUp
          : terms.encounterTypes.checkUp,
      reason: condition ? { condition } : undefined,
    })
    chart.recordAt(visit)
    for (const story of chosen) story.atVisit?.(chart, visit, chanceOf(`${story.name} at ${date}`))
  }
  for (const story of chosen) story.tell?.(chart, chanceOf(`${story.name} is told`))
  return chart
}

function drawStories(subject: Subject, chanceOf: ChanceOf): Story[] {
  const chosen = allStories.filter((story) => chanceOf(story.name).happens(story.share?.(subject) ?? 0))
  const names = new Set(chosen.map((story) => story.name))
  return chosen.filter(
    ({ name }) => !exclusive.some(([first, second]) => second === name && names.has(first)),
  )
}

/** Problems that begin in the time told, by the day of the visit that finds them. */
function foundInTime({ physiology, subject }: Chart): ReadonlyMap<string, ConditionKey> {
  const found = [...physiology.problems].flatMap(([key, { from }]) =>
    from > subject.from ? [[from, key] as const] : [],
  )
  return new Map(found.reverse())
}

/** Replaces planned visits in the same week. */
function withBeginnings(planned: readonly string[], beginnings: readonly string[]): string[] {
  const others = planned.filter((date) => beginnings.every((each) => Math.abs(daysBetween(each, date)) > 6))
  return [...others, ...beginnings].sort()
}

const infantMonths = [1, 2, 4, 6, 9, 12, 15, 18, 24]

/** Small children by their age in months, everyone else once a year or as often as their problems ask. */
function plannedVisits(subject: Subject, stories: readonly Story[], chance: Chance): string[] {
  const { traits, from, until } = subject
  const yearly = Math.min(4, Math.max(0.8, ...stories.map((story) => story.visitsYearly ?? 0)))
  const dates: string[] = [addDays(traits.birthDay, 3)]
  for (const month of infantMonths) dates.push(addDays(addMonths(traits.birthDay, month), 3))
  const step = 365 / yearly
  let date = addDays(from, chance.integer(5, Math.round(step)))
  while (date < until) {
    if (ageAt(subject, date) >= 2) dates.push(date)
    date = addDays(date, Math.round(step) + chance.integer(-12, 12))
  }
  const days = dates.map(weekday).filter((each) => each >= from && each <= until && each >= traits.birthDay)
  return [...new Set(days)]
    .sort()
    .filter((each, index, all) => index === 0 || daysBetween(all[index - 1] ?? each, each) > 6)
}
