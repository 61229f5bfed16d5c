/** Every kind of screening, social history and simple finding, with every kind of value. */
import {
  absentReasons,
  hungerQuestions,
  industries,
  observationCategories,
  occupations,
  prapareQuestions,
  questionnaires,
  screeningCategories,
  sdohFindings,
  sexualOrientations,
  surveyCodes,
} from '../codes/codes.ts'
import { addDays, weekday } from '../people/calendar.ts'
import { recordSmoking } from '../stories/base-care.ts'
import type { Story } from '../stories/story.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { askHunger, askPhq9, askPrapare, recordScore } from '../timeline/surveys.ts'
import { takeVitals } from '../timeline/vitals.ts'

export const showcaseScreenings: Story = {
  name: 'showcase of screenings',
  share: () => 0,
  tell: (chart) => {
    const visit = chart.visit({ date: weekday(addDays(chart.subject.until, -30)), minutes: 60 })
    takeVitals(chart, visit, { pressureAbsent: true })
    recordSmoking(chart, visit)
    askPhq9(chart, visit, 9, { screening: screeningCategories.disability, items: true })
    askHunger(chart, visit, true, { items: true })
    askPrapare(chart, visit, { transportation: 1, stress: 2 }, { items: true })
    recordScore(
      chart,
      visit,
      surveyCodes.mmseScore,
      { quantity: { value: 28, unit: '{score}' } },
      {
        screening: screeningCategories.cognitive,
      },
    )
    recordScore(chart, visit, surveyCodes.auditCScore, { quantity: { value: 2, unit: '{score}' } })
    recordScore(
      chart,
      visit,
      surveyCodes.cognitiveHistory,
      { text: 'Manages the household alone.' },
      {
        screening: screeningCategories.functional,
      },
    )
    socialHistory(chart, visit)
    simpleFindings(chart, visit)
    nestedAnswers(chart, visit)
    const condition = chart.problem('transport-insecurity', {
      onset: visit.date,
      role: 'concern',
      visit,
      screening: screeningCategories.sdoh,
      assertedOnly: true,
    })
    chart.add({
      kind: 'order',
      at: visit.at,
      until: addDays(visit.date, 60),
      visit: visit.key,
      code: sdohFindings.transportTooExpensive,
      text: 'Help with the way to appointments',
      category: screeningCategories.sdoh,
      reason: { condition },
      status: 'active',
    })
  },
}

function socialHistory(chart: Chart, visit: Visit): void {
  const here = {
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    categories: [observationCategories.socialHistory],
  } as const
  chart.add({
    ...here,
    profile: 'occupation',
    codes: [surveyCodes.occupation],
    since: '2009-02-01',
    value: { codings: [occupations.nursingAssistant] },
    components: [{ code: surveyCodes.industry, value: { codings: [industries.homeNursing] } }],
  })
  chart.add({
    ...here,
    profile: 'sexualOrientation',
    codes: [surveyCodes.sexualOrientation],
    value: { codings: [sexualOrientations.heterosexual] },
  })
}

function simpleFindings(chart: Chart, visit: Visit): void {
  const here = { kind: 'observation', at: visit.at, visit: visit.key, profile: 'simple' } as const
  const household = chart.add({
    ...here,
    categories: [screeningCategories.sdoh],
    codes: [surveyCodes.householdSize],
    value: { quantity: { value: 1, unit: '{#}' } },
  })
  chart.add({
    ...here,
    categories: [screeningCategories.sdoh],
    codes: [sdohFindings.transportTooExpensive],
    value: { boolean: true },
    derivedFrom: [household],
  })
  chart.add({
    ...here,
    categories: [screeningCategories.disability],
    codes: [surveyCodes.depressionSeverity],
    value: { codings: [surveyCodes.depressionSeverityModerate] },
  })
  chart.add({
    ...here,
    categories: [screeningCategories.cognitive],
    codes: [surveyCodes.cognitiveHistory],
    value: { text: 'Alert and oriented. Manages money and shopping alone.' },
  })
  chart.add({
    ...here,
    categories: [screeningCategories.functional],
    codes: [surveyCodes.dast10Score],
    absent: absentReasons.unknown,
  })
}

/** Groups, questions that follow from answers, and answers of every kind. */
function nestedAnswers(chart: Chart, visit: Visit): void {
  const [worried] = hungerQuestions
  chart.add({
    kind: 'answers',
    at: visit.at,
    visit: visit.key,
    questionnaire: questionnaires.prapare,
    uri: 'https://sandpiper.example/forms/intake',
    title: 'Intake form',
    items: [
      {
        linkId: 'home',
        text: 'Home and family',
        items: [
          { linkId: 'home.size', text: surveyCodes.householdSize.display, decimal: 1 },
          {
            linkId: 'home.housing',
            text: prapareQuestions.housing.text,
            coding: prapareQuestions.housing.answers[0],
            followUps: [{ linkId: 'home.housing.since', text: 'Since when?', string: 'Since 2019' }],
          },
        ],
      },
      {
        linkId: 'food',
        text: worried?.text ?? '',
        coding: worried?.answers[1],
        followUps: [{ linkId: 'food.when', text: 'When?', string: 'In winter' }],
      },
      { linkId: 'anything', text: 'Anything else?', string: 'I would like to walk to the harbor again.' },
    ],
  })
}
