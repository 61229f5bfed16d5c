/** An irregular pulse and a thinner of blood, watched by the INR. */
import { chronicStory } from './chronic.ts'

export const atrialFibrillation = chronicStory({
  name: 'atrial fibrillation',
  condition: 'atrial-fibrillation',
  drugs: ['warfarin-5'],
  treated: 0.9,
  yearlyLabs: ['inr'],
  visitsYearly: 3,
})
