/** Painful joints from uric acid. */
import { chronicStory } from './chronic.ts'

export const gout = chronicStory({
  name: 'gout',
  condition: 'gout',
  drugs: ['allopurinol-100'],
  treated: 0.8,

  visitsYearly: 1,
})
