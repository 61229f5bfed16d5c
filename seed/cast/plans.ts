/** What is pinned of each cast member's record. */
import { conformancePersonId } from '../../server/contract/lab/conformance-person.ts'
import type { RecordPlan } from '../patient-record.ts'
import { acuteRespiratoryInfection } from '../stories/acute-respiratory-infection.ts'
import { allergicRhinitis } from '../stories/allergic-rhinitis.ts'
import { allergy } from '../stories/allergy.ts'
import { asthma } from '../stories/asthma.ts'
import { atrialFibrillation } from '../stories/atrial-fibrillation.ts'
import { baseCare } from '../stories/base-care.ts'
import { birth } from '../stories/birth.ts'
import { cancerScreening } from '../stories/cancer-screening.ts'
import { chronicKidneyDisease } from '../stories/chronic-kidney-disease.ts'
import { copd } from '../stories/copd.ts'
import { depression } from '../stories/depression.ts'
import { hyperlipidemia } from '../stories/hyperlipidemia.ts'
import { hypertension } from '../stories/hypertension.ts'
import { hypothyroidism } from '../stories/hypothyroidism.ts'
import { injury } from '../stories/injury.ts'
import { migraine } from '../stories/migraine.ts'
import { obesity } from '../stories/obesity.ts'
import { osteoarthritis } from '../stories/osteoarthritis.ts'
import { osteoporosis } from '../stories/osteoporosis.ts'
import { type2Diabetes } from '../stories/type-2-diabetes.ts'
import { urinaryTractInfection } from '../stories/urinary-tract-infection.ts'
import { vaccinations } from '../stories/vaccinations.ts'
import { wellChild } from '../stories/well-child.ts'
import {
  hospice,
  longChart,
  motherOfNewborn,
  notTold,
  peanutAllergy,
  penicillinAllergy,
  polypharmacy,
  sensitiveNotes,
} from './own-stories.ts'
import { showcaseCare } from './showcase-care.ts'
import { showcaseDocuments } from './showcase-documents.ts'
import { showcaseScreenings } from './showcase-screenings.ts'
import { wholeLife } from './whole-life.ts'

/** Observations of the longest chart where it must stay small enough to be copied. */
export const shortChartObservations = 520

/** @param observations of the longest chart */
export function castPlans(observations: number): Readonly<Record<string, RecordPlan>> {
  return {
    'pt-wren-testwell': {
      years: 4,
      traits: { weightZ: 0.9, pressureOffset: 5, a1cDrift: 0.2, lipidZ: 0.8, smoking: 'former' },
      stories: [
        type2Diabetes,
        hypertension,
        hyperlipidemia,
        penicillinAllergy,
        baseCare,
        cancerScreening,
        vaccinations,
      ],
    },
    'pt-juno-testwell': {
      years: 7,
      traits: { heightZ: 0.4, weightZ: 0.2 },
      stories: [asthma, peanutAllergy, baseCare, wellChild, acuteRespiratoryInfection, vaccinations],
    },
    'pt-pip-testwell': { stories: [baseCare, wellChild, birth, vaccinations] },
    'pt-marlo-testwell': {
      traits: { smoking: 'never' },
      stories: [allergicRhinitis, allergy, baseCare, injury, vaccinations],
    },
    'pt-otis-samplewood': {
      traits: { smoking: 'former', weightZ: 0.4 },
      stories: [
        hypertension,
        chronicKidneyDisease,
        osteoarthritis,
        allergy,
        baseCare,
        vaccinations,
        showcaseDocuments,
        showcaseScreenings,
        showcaseCare,
      ],
    },
    'pt-edda-nonesuch': { stories: [hypertension, atrialFibrillation, hospice, baseCare, vaccinations] },
    'pt-zoe-munoz': {
      traits: { sex: 'female' },
      stories: [hypothyroidism, allergy, baseCare, motherOfNewborn, vaccinations],
    },
    'pt-hanako-shiken': { stories: [migraine, allergy, baseCare, urinaryTractInfection, vaccinations] },
    'pt-maximiliana-placeholder': {
      traits: { smoking: 'daily' },
      stories: [copd, osteoporosis, baseCare, cancerScreening, vaccinations],
    },
    'pt-ash-mockley': { stories: [baseCare, notTold] },
    'pt-lee-fauxworth': {
      traits: { weightZ: 1.6 },
      stories: [obesity, hyperlipidemia, baseCare, cancerScreening, vaccinations],
    },
    'pt-hester-placewright': { years: 3, stories: [polypharmacy, allergy, baseCare, vaccinations] },
    'pt-cal-notareal': { stories: [hypertension, baseCare, longChart(observations)] },
    'pt-nil-stubwell': { empty: true },
    'pt-leigh-fauxworth': { empty: true },
    'pt-quinn-draftworth': { stories: [depression, baseCare, sensitiveNotes, vaccinations] },
    [conformancePersonId]: {
      years: 1,
      traits: { smoking: 'former', weightZ: 0.6 },
      stories: [
        type2Diabetes,
        penicillinAllergy,
        baseCare,
        vaccinations,
        wholeLife,
        showcaseDocuments,
        showcaseScreenings,
        showcaseCare,
      ],
    },
  }
}
