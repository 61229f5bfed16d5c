/** Hay fever. */
import { chronicStory } from './chronic.ts'

export const allergicRhinitis = chronicStory({
  name: 'allergic rhinitis',
  condition: 'seasonal-allergic-rhinitis',
  drugs: ['loratadine-10'],
  treated: 0.8,

  visitsYearly: 0.5,
})
