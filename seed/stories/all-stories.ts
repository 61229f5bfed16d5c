/** All stories that can be drawn by chance, in the order of drawing. */
import * as acute from './acute.ts'
import * as care from './care.ts'
import * as childbirth from './childbirth.ts'
import * as chronic from './chronic.ts'
import type { Story } from './story.ts'
import { vaccinations } from './vaccinations.ts'

export const allStories: readonly Story[] = [
  care.allergy, // before the drugs that it rules out
  chronic.obesity,
  chronic.type2Diabetes,
  chronic.prediabetes,
  chronic.hypertension,
  chronic.hyperlipidemia,
  chronic.chronicKidneyDisease,
  chronic.asthma,
  chronic.copd,
  chronic.depression,
  chronic.anxiety,
  chronic.hypothyroidism,
  chronic.osteoarthritis,
  chronic.osteoporosis,
  chronic.gout,
  chronic.migraine,
  chronic.atrialFibrillation,
  chronic.ironDeficiency,
  chronic.allergicRhinitis,
  care.baseCare,
  care.wellChild,
  childbirth.birth,
  childbirth.pregnancy,
  acute.acuteRespiratoryInfection,
  acute.urinaryTractInfection,
  acute.injury,
  care.cancerScreening,
  care.socialNeeds,
  vaccinations,
]

/** Stories that cannot both be one person's: the first of each pair wins. */
export const exclusive: readonly (readonly [string, string])[] = [
  ['type 2 diabetes', 'prediabetes'],
  ['asthma', 'COPD'],
]
