/** Worn knees. */
import { chronicStory } from './chronic.ts'

export const osteoarthritis = chronicStory({
  name: 'osteoarthritis',
  condition: 'osteoarthritis-knee',
  drugs: ['naproxen-500', 'acetaminophen-325'],
  treated: 0.7,

  visitsYearly: 1,
})
