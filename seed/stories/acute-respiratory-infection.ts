/** Colds, throats, ears, bronchitis and flu: most pass by themselves. */
import type { ConditionKey, MedicationKey } from '../codes/codes.ts'
import { orderLab } from '../timeline/laboratory.ts'
import { ageAt } from '../timeline/subject.ts'
import { acuteVisit, drawDay } from './acute.ts'
import type { Story } from './story.ts'

interface Illness {
  readonly condition: ConditionKey
  readonly ages: readonly [number, number]
  readonly drugs?: readonly MedicationKey[]
  readonly feverish: boolean
  readonly complaint: string
  readonly advice: string
}

const illnesses: readonly Illness[] = [
  {
    condition: 'acute-uri',
    ages: [0, 95],
    feverish: false,
    complaint: 'Runny nose, cough and a raw throat for three days.',
    advice: 'Rest and drinks; come back if breathing becomes hard.',
  },
  {
    condition: 'otitis-media',
    ages: [0, 11],
    feverish: true,
    complaint: 'Fever and a painful ear since last night.',
    advice: 'Watchful waiting, something for the pain, another look in two days.',
  },
  {
    condition: 'strep-pharyngitis',
    ages: [8, 45],
    drugs: ['amoxicillin-500', 'azithromycin-250'],
    feverish: true,
    complaint: 'Sore throat and fever, no cough.',
    advice: 'Antibiotic for ten days.',
  },
  {
    condition: 'acute-bronchitis',
    ages: [16, 95],
    feverish: false,
    complaint: 'Cough with phlegm for two weeks.',
    advice: 'No antibiotic; it may take three weeks.',
  },
  {
    condition: 'viral-sinusitis',
    ages: [12, 90],
    feverish: false,
    complaint: 'Pressure over the cheeks and a blocked nose.',
    advice: 'Salt water rinses, something for the pain.',
  },
  {
    condition: 'influenza',
    ages: [5, 95],
    feverish: true,
    complaint: 'Sudden fever, aches and cough.',
    advice: 'Stay at home until a day without fever.',
  },
]

export const acuteRespiratoryInfection: Story = {
  name: 'acute respiratory infection',
  share: (subject) => (ageAt(subject, subject.until) < 12 ? 0.6 : 0.3),
  tell: (chart, chance) => {
    const date = drawDay(chart, chance)
    if (date === undefined) return
    const age = ageAt(chart.subject, date)
    const fitting = illnesses.filter(({ ages }) => ages[0] <= age && age <= ages[1])
    const { ages: _, ...illness } = chance.pick(fitting)
    const visit = acuteVisit(chart, { ...illness, date, days: 10 })
    if (illness.condition === 'influenza') {
      orderLab(chart, visit, 'influenzaA', { words: { influenzaA: 'detected' }, specimen: 'untold' })
    }
  },
}
