/** Sugar between healthy and diabetic. */
import { chronicStory } from './chronic.ts'

export const prediabetes = chronicStory({
  name: 'prediabetes',
  condition: 'prediabetes',
  drugs: [],
  treated: 0,
  yearlyLabs: ['a1c'],
  visitsYearly: 1,
})
