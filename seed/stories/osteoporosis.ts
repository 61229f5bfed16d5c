/** Thin bones after the menopause. */
import { chronicStory } from './chronic.ts'

export const osteoporosis = chronicStory({
  name: 'osteoporosis',
  condition: 'osteoporosis',
  drugs: ['alendronate-10'],
  treated: 0.8,

  visitsYearly: 1,
})
