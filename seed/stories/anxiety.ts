/** Worry that does not end, and the score that follows it. */
import { chronicStory } from './chronic.ts'

export const anxiety = chronicStory({
  name: 'anxiety',
  condition: 'generalized-anxiety',
  drugs: ['sertraline-100', 'duloxetine-20'],
  treated: 0.6,

  visitsYearly: 2,
})
