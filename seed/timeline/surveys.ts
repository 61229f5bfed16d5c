/** Questionnaires answered at a visit: the form as filled in, and its questions and score as Observations. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import {
  hungerQuestions,
  phq9Questions,
  prapareQuestions,
  type Question,
  surveyCodes,
  terms,
} from '../codes/codes.ts'
import { uniform } from '../traits/traits.ts'
import type { Chart, Visit } from './chart.ts'
import type { ObservedValue } from './events.ts'

interface SurveyOptions {
  readonly screening?: Coding
  /** Every question as an Observation of its own, the panel above them. */
  readonly items?: boolean
  readonly sensitive?: boolean
}

/** Answers that add up to a score, spread over the nine questions the same way for the same person. */
export function askPhq9(chart: Chart, visit: Visit, score: number, options: SurveyOptions = {}): void {
  const places = spread(score, phq9Questions.length, chart.subject.traits.noiseSeed, visit.date)
  ask(visit, 'phq9', phq9Questions, places, options, score)
}

/** Food insecurity: at risk when either of the first two answers is more than never. */
export function askHunger(visit: Visit, atRisk: boolean, options: SurveyOptions = {}): void {
  const places = atRisk ? [1, 1, 0] : [2, 2, 1]
  ask(visit, 'hunger', hungerQuestions, places, { screening: terms.screeningCategories.sdoh, ...options })
}

/** @param places of the answers in their lists; the first of each where none is given */
export function askPrapare(
  visit: Visit,
  places: Partial<Record<keyof typeof prapareQuestions, number>>,
  options: SurveyOptions = {},
): void {
  const keys = Object.keys(prapareQuestions) as (keyof typeof prapareQuestions)[]
  const chosen = keys.map((key) => places[key] ?? 0)
  ask(visit, 'prapare', Object.values(prapareQuestions), chosen, {
    screening: terms.screeningCategories.sdoh,
    ...options,
  })
}

/** A score that is told without the questions behind it. */
export function recordScore(
  visit: Visit,
  code: Coding,
  value: ObservedValue,
  { screening, sensitive, derivedFrom }: SurveyOptions & { readonly derivedFrom?: readonly string[] } = {},
): string {
  return visit.observe('screening', categories(screening), code, { value, derivedFrom, sensitive })
}

const forms = {
  phq9: { title: 'PHQ-9', panel: surveyCodes.phq9 },
  hunger: { title: 'Hunger Vital Sign', panel: surveyCodes.hungerVitalSign },
  prapare: { title: 'PRAPARE', panel: surveyCodes.prapare },
} as const

/** @param places of the answers in the questions' lists @param score of the PHQ-9 */
function ask(
  visit: Visit,
  form: keyof typeof forms,
  questions: readonly Question[],
  places: readonly number[],
  options: SurveyOptions,
  score?: number,
): void {
  const { screening, sensitive } = options
  const { title, panel } = forms[form]
  const answered = questions.map((question, index) => ({
    ...question,
    answer: answerOf(question, places[index]),
  }))
  const items = answered.map(({ coding: { code }, text, answer }) => ({
    linkId: `/${code}`,
    text,
    coding: answer,
  }))
  const { code, display } = surveyCodes.phq9Score
  const total = score === undefined ? [] : [{ linkId: `/${code}`, text: display, decimal: score }]
  const derivedFrom = [
    visit.add({
      kind: 'answers',
      questionnaire: terms.questionnaires[form],
      title,
      items: [...items, ...total],
      sensitive,
    }),
  ]
  const record = (coding: Coding, value: ObservedValue) =>
    recordScore(visit, coding, value, { ...options, derivedFrom })
  const members = options.items
    ? answered.map(({ coding, answer }) => record(coding, { codings: [answer] }))
    : []
  if (score !== undefined)
    members.push(record(surveyCodes.phq9Score, { quantity: { value: score, unit: '{score}' } }))
  if (options.items)
    visit.observe('screening', categories(screening), panel, { members, derivedFrom, sensitive })
}

function categories(screening: Coding | undefined): Coding[] {
  return [terms.observationCategories.survey, ...(screening ? [screening] : [])]
}

function answerOf({ answers, coding }: Question, place = 0): Coding {
  const answer = answers[Math.min(place, answers.length - 1)]
  if (answer === undefined) throw new Error(`${coding.code} has no answers`)
  return answer
}

/** Whole points of at most three each. */
function spread(score: number, questions: number, seed: number, date: string): number[] {
  const points = Array.from({ length: questions }, () => 0)
  let left = Math.min(score, questions * 3)
  for (let round = 0; left > 0; round++) {
    const at = Math.floor(uniform(seed, `${date}|${round}`) * questions)
    const now = points[at] ?? 0
    // The last question asks about self-harm: no made-up record answers it with more than nothing.
    if (now < 3 && (at !== questions - 1 || round > 400)) {
      points[at] = now + 1
      left--
    }
  }
  return points
}
