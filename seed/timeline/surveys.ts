/** Questionnaires answered at a visit: the form as filled in, and its questions and score as Observations. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import {
  hungerQuestions,
  observationCategories,
  phq9Questions,
  prapareQuestions,
  type Question,
  questionnaires,
  screeningCategories,
  surveyCodes,
} from '../codes/codes.ts'
import { uniform } from '../traits/noise.ts'
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
  const points = spread(score, phq9Questions.length, chart.subject.traits.noiseSeed, visit.date)
  const answers = phq9Questions.map((question, index) => ({
    question: question as Question,
    answer: answerOf(question, points[index] ?? 0),
  }))
  ask(chart, visit, questionnaires.phq9, 'PHQ-9', answers, options, {
    panel: surveyCodes.phq9,
    score: { code: surveyCodes.phq9Score, value: score },
  })
}

/** Food insecurity: at risk when either of the first two answers is more than never. */
export function askHunger(chart: Chart, visit: Visit, atRisk: boolean, options: SurveyOptions = {}): void {
  const place = atRisk ? [1, 1, 0] : [2, 2, 1]
  const answers = hungerQuestions.map((question, index) => ({
    question: question as Question,
    answer: answerOf(question, place[index] ?? 0),
  }))
  ask(
    chart,
    visit,
    questionnaires.hunger,
    'Hunger Vital Sign',
    answers,
    { ...options, screening: options.screening ?? screeningCategories.sdoh },
    { panel: surveyCodes.hungerVitalSign },
  )
}

/** @param places of the answers in their lists; the first of each where none is given */
export function askPrapare(
  chart: Chart,
  visit: Visit,
  places: Partial<Record<keyof typeof prapareQuestions, number>>,
  options: SurveyOptions = {},
): void {
  const answers = Object.entries(prapareQuestions).map(([key, question]) => ({
    question: question as Question,
    answer: answerOf(question, places[key as keyof typeof prapareQuestions] ?? 0),
  }))
  ask(
    chart,
    visit,
    questionnaires.prapare,
    'PRAPARE',
    answers,
    { ...options, screening: options.screening ?? screeningCategories.sdoh },
    { panel: surveyCodes.prapare },
  )
}

/** A score that is told without the questions behind it. */
export function recordScore(
  chart: Chart,
  visit: Visit,
  code: Coding,
  value: ObservedValue,
  options: SurveyOptions & { readonly derivedFrom?: readonly string[] } = {},
): string {
  return chart.add({
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    profile: 'screening',
    categories: categories(options),
    codes: [code],
    value,
    ...(options.derivedFrom ? { derivedFrom: options.derivedFrom } : {}),
    ...(options.sensitive ? { sensitive: true } : {}),
  })
}

type Answered = { readonly question: Question; readonly answer: Coding }

function ask(
  chart: Chart,
  visit: Visit,
  questionnaire: string,
  title: string,
  answers: readonly Answered[],
  options: SurveyOptions,
  { panel, score }: { panel: Coding; score?: { code: Coding; value: number } },
): void {
  const sensitive = options.sensitive ? { sensitive: true } : {}
  const form = chart.add({
    kind: 'answers',
    at: visit.at,
    visit: visit.key,
    questionnaire,
    title,
    items: [
      ...answers.map(({ question, answer }) => ({
        linkId: `/${question.coding.code}`,
        text: question.text,
        coding: answer,
      })),
      ...(score
        ? [{ linkId: `/${score.code.code}`, text: score.code.display ?? title, decimal: score.value }]
        : []),
    ],
    ...sensitive,
  })
  const items = options.items
    ? answers.map(({ question, answer }) =>
        recordScore(
          chart,
          visit,
          question.coding,
          { codings: [answer] },
          { ...options, derivedFrom: [form] },
        ),
      )
    : []
  const scored = score
    ? [
        recordScore(
          chart,
          visit,
          score.code,
          { quantity: { value: score.value, unit: '{score}' } },
          { ...options, derivedFrom: [form] },
        ),
      ]
    : []
  if (items.length === 0) return
  chart.add({
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    profile: 'screening',
    categories: categories(options),
    codes: [panel],
    members: [...items, ...scored],
    derivedFrom: [form],
    ...sensitive,
  })
}

function categories({ screening }: SurveyOptions): Coding[] {
  return [observationCategories.survey, ...(screening ? [screening] : [])]
}

function answerOf(question: Question, place: number): Coding {
  const { answers = [] } = question
  const answer = answers[Math.min(place, answers.length - 1)]
  if (answer === undefined) throw new Error(`${question.coding.code} has no answers`)
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
