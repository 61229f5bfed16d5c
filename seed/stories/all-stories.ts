/** Every story that chance may tell, in the order in which it is asked; the first ones are everybody's. */
import { acuteRespiratoryInfection } from './acute-respiratory-infection.ts'
import { allergicRhinitis } from './allergic-rhinitis.ts'
import { allergy } from './allergy.ts'
import { anxiety } from './anxiety.ts'
import { asthma } from './asthma.ts'
import { atrialFibrillation } from './atrial-fibrillation.ts'
import { baseCare } from './base-care.ts'
import { birth } from './birth.ts'
import { cancerScreening } from './cancer-screening.ts'
import { chronicKidneyDisease } from './chronic-kidney-disease.ts'
import { copd } from './copd.ts'
import { coronaryDisease } from './coronary-disease.ts'
import { depression } from './depression.ts'
import { gerd } from './gerd.ts'
import { gout } from './gout.ts'
import { hyperlipidemia } from './hyperlipidemia.ts'
import { hypertension } from './hypertension.ts'
import { hypothyroidism } from './hypothyroidism.ts'
import { injury } from './injury.ts'
import { ironDeficiency } from './iron-deficiency.ts'
import { migraine } from './migraine.ts'
import { obesity } from './obesity.ts'
import { osteoarthritis } from './osteoarthritis.ts'
import { osteoporosis } from './osteoporosis.ts'
import { prediabetes } from './prediabetes.ts'
import { pregnancy } from './pregnancy.ts'
import { socialNeeds } from './social-needs.ts'
import type { Story } from './story.ts'
import { stroke } from './stroke.ts'
import { type2Diabetes } from './type-2-diabetes.ts'
import { urinaryTractInfection } from './urinary-tract-infection.ts'
import { vaccinations } from './vaccinations.ts'
import { wellChild } from './well-child.ts'

export const allStories: readonly Story[] = [
  allergy, // before the drugs that it rules out
  obesity,
  type2Diabetes,
  prediabetes,
  hypertension,
  hyperlipidemia,
  chronicKidneyDisease,
  coronaryDisease,
  asthma,
  copd,
  depression,
  anxiety,
  hypothyroidism,
  osteoarthritis,
  osteoporosis,
  gout,
  migraine,
  atrialFibrillation,
  ironDeficiency,
  allergicRhinitis,
  gerd,
  baseCare,
  wellChild,
  birth,
  pregnancy,
  acuteRespiratoryInfection,
  urinaryTractInfection,
  injury,
  stroke,
  cancerScreening,
  socialNeeds,
  vaccinations,
]

/** Stories that cannot both be one person's: the first of each pair wins. */
export const exclusive: readonly (readonly [string, string])[] = [
  ['type 2 diabetes', 'prediabetes'],
  ['asthma', 'COPD'],
]
