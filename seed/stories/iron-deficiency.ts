/** Too little iron: small and pale red cells. */
import { chronicStory } from './chronic.ts'

export const ironDeficiency = chronicStory({
  name: 'iron deficiency',
  condition: 'iron-deficiency-anemia',
  drugs: ['ferrous-sulfate-325'],
  treated: 0.9,
  yearlyLabs: ['hemoglobin', 'ferritin'],
  visitsYearly: 1,
})
