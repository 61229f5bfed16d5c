/** An underactive thyroid: TSH high until the hormone is taken. */
import { chronicStory } from './chronic.ts'

export const hypothyroidism = chronicStory({
  name: 'hypothyroidism',
  condition: 'hypothyroidism',
  drugs: ['levothyroxine-75mcg'],
  treated: 1,
  yearlyLabs: ['tsh'],
  visitsYearly: 1,
})
