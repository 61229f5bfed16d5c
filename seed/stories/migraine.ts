/** Headaches that come in attacks. */
import { chronicStory } from './chronic.ts'

export const migraine = chronicStory({
  name: 'migraine',
  condition: 'migraine',
  drugs: ['ibuprofen-200', 'acetaminophen-325'],
  treated: 0.9,

  visitsYearly: 1,
})
