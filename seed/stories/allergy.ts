/** What people react to, or that nothing is known of. */
import { type AllergenKey, allergens, noKnownAllergy, type ReactionKey, reactions } from '../codes/codes.ts'
import { addYears, laterOf } from '../people/calendar.ts'
import type { Chart } from '../timeline/chart.ts'
import { ageAt } from '../timeline/subject.ts'
import type { Story } from './story.ts'

export const allergy: Story = {
  name: 'allergy',
  share: () => 0.8,
  begin: (chart, chance) => {
    const { subject } = chart
    if (chance.happens(0.65)) {
      chart.add({
        kind: 'allergy',
        at: subject.from,
        substance: noKnownAllergy,
        reactions: [],
      })
      return
    }
    const food = ['peanut', 'eggs', 'milk', 'treeNut'] as const
    const other = ['penicillinV', 'aspirin', 'latex', 'beeVenom', 'grassPollen'] as const
    recordAllergy(chart, chance.pick(ageAt(subject, subject.until) < 12 ? food : other), {
      code: chance.pick(['wheal', 'rash', 'itching'] as const),
      severity: chance.pick(['mild', 'moderate'] as const),
    })
  },
}

export function recordAllergy(
  chart: Chart,
  key: AllergenKey,
  reaction: { readonly code: ReactionKey; readonly severity: 'mild' | 'moderate' | 'severe' },
): string {
  const { subject } = chart
  const { coding, category, criticality } = allergens[key]
  const onset = laterOf(addYears(subject.from, -3), subject.traits.birthDay)
  return chart.add({
    kind: 'allergy',
    at: subject.from,
    substance: coding,
    category,
    criticality,
    onset,
    reactions: [{ code: reactions[reaction.code], severity: reaction.severity }],
  })
}
