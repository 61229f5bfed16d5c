/** Drugs that nobody takes two of, and what does not go together. Design rules for made-up people, not clinical guidance. */
import type { AllergenKey } from './allergies.ts'
import type { ConditionKey } from './conditions.ts'
import type { MedicationKey } from './medications.ts'

export const drugClasses = {
  reninAngiotensin: ['lisinopril-10', 'lisinopril-20', 'losartan-50', 'valsartan-80', 'sacubitril-valsartan-97'],
  betaBlocker: ['metoprolol-succ-50', 'metoprolol-tart-25', 'carvedilol-6.25'],
  calciumBlocker: ['amlodipine-2.5', 'amlodipine-5'],
  statin: ['atorvastatin-10', 'atorvastatin-40', 'simvastatin-20', 'rosuvastatin-10'],
  serotonin: ['sertraline-100', 'fluoxetine-20', 'duloxetine-20'],
  antiInflammatory: ['ibuprofen-200', 'naproxen-500'],
  antiplatelet: ['clopidogrel-75'],
  aspirin: ['aspirin-81'],
  anticoagulant: ['warfarin-5'],
  reliever: ['albuterol-mdi', 'albuterol-neb'],
  antihistamine: ['loratadine-10', 'cetirizine-10'],
  iron: ['ferrous-sulfate-325'],
  acidBlocker: ['omeprazole-20'],
} as const satisfies Record<string, readonly MedicationKey[]>

export type DrugClass = keyof typeof drugClasses

export function classOf(drug: MedicationKey): DrugClass | undefined {
  return (Object.keys(drugClasses) as DrugClass[]).find((name) => (drugClasses[name] as readonly MedicationKey[]).includes(drug))
}

/** Classes that are not begun beside one another. */
export const apart: readonly (readonly [DrugClass, DrugClass])[] = [
  ['antiInflammatory', 'anticoagulant'],
  ['antiInflammatory', 'antiplatelet'],
  ['antiplatelet', 'anticoagulant'],
]

/** Classes that are not begun by people with a problem. */
export const unsuited: Partial<Record<DrugClass, readonly ConditionKey[]>> = {
  antiInflammatory: ['ckd-stage-2', 'ckd-stage-3', 'ckd-stage-4', 'diabetic-nephropathy', 'heart-failure', 'coronary-artery-disease', 'normal-pregnancy'],
  reninAngiotensin: ['normal-pregnancy'],
  statin: ['normal-pregnancy'],
  betaBlocker: ['asthma', 'childhood-asthma'],
}

/** Drugs that an allergy rules out. */
export const ruledOutBy: Partial<Record<AllergenKey, readonly MedicationKey[]>> = {
  penicillinV: ['amoxicillin-500', 'amox-clav-875', 'penicillin-v-500', 'cephalexin-500'],
  aspirin: ['aspirin-81', 'ibuprofen-200', 'naproxen-500'],
  ibuprofen: ['aspirin-81', 'ibuprofen-200', 'naproxen-500'],
  sulfamethoxazole: ['tmp-smx-ds'],
  lisinopril: ['lisinopril-10', 'lisinopril-20'],
  cephalexin: ['cephalexin-500'],
}
