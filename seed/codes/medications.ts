/** Drugs: RxNorm products with how they are taken. Only codes found in a published source are here. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import type { ConditionKey } from './conditions.ts'
import { rxnorm } from './systems.ts'

interface MedicationCode {
  readonly coding: Coding
  readonly sig: string
  /** Amount taken at once; units are UCUM when they stand in it, words otherwise. */
  readonly dose: readonly [amount: number, unit: string]
  readonly timesPerDay?: number
  /** Where it is not so many times a day: once in so many units of time. */
  readonly every?: readonly [period: number, unit: 'min' | 'h' | 'wk', most?: number]
  readonly asNeeded?: boolean
  /** Taken for days, not for good. */
  readonly course?: boolean
  /** Days of a course; ten when left out. */
  readonly days?: number
  /** What the pharmacy gives out at once, where it is not dose times days. */
  readonly pack?: number
  readonly indications: readonly (ConditionKey | 'food-allergy' | 'contraception' | 'smoking-cessation')[]
}

export const medications = {
  'lisinopril-10': { coding: rxnorm('314076', 'lisinopril 10 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypertension', 'heart-failure', 'diabetic-nephropathy'] },
  'lisinopril-20': { coding: rxnorm('314077', 'lisinopril 20 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypertension'] },
  'losartan-50': { coding: rxnorm('979492', 'losartan potassium 50 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypertension', 'ckd-stage-3'] },
  'valsartan-80': { coding: rxnorm('349199', 'valsartan 80 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypertension'] },
  'amlodipine-2.5': { coding: rxnorm('308136', 'amlodipine 2.5 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypertension'] },
  'amlodipine-5': { coding: rxnorm('197361', 'amlodipine 5 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypertension'] },
  'hydrochlorothiazide-25': { coding: rxnorm('310798', 'hydrochlorothiazide 25 MG Oral Tablet'), sig: '1 tablet by mouth every morning', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypertension'] },
  'metoprolol-succ-50': { coding: rxnorm('866436', '24 HR metoprolol succinate 50 MG Extended Release Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypertension', 'heart-failure', 'coronary-artery-disease'] },
  'metoprolol-tart-25': { coding: rxnorm('866924', 'metoprolol tartrate 25 MG Oral Tablet'), sig: '1 tablet by mouth twice daily', dose: [1, 'tablet'], timesPerDay: 2, indications: ['atrial-fibrillation', 'coronary-artery-disease'] },
  'carvedilol-6.25': { coding: rxnorm('200031', 'carvedilol 6.25 MG Oral Tablet'), sig: '1 tablet by mouth twice daily', dose: [1, 'tablet'], timesPerDay: 2, indications: ['heart-failure'] },
  'furosemide-40': { coding: rxnorm('313988', 'furosemide 40 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['heart-failure'] },
  'spironolactone-25': { coding: rxnorm('313096', 'spironolactone 25 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['heart-failure'] },
  'sacubitril-valsartan-97': { coding: rxnorm('1656356', 'sacubitril 97 MG / valsartan 103 MG Oral Tablet'), sig: '1 tablet by mouth twice daily', dose: [1, 'tablet'], timesPerDay: 2, indications: ['heart-failure'] },
  'digoxin-0.125': { coding: rxnorm('197604', 'digoxin 0.125 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['atrial-fibrillation'] },
  'warfarin-5': { coding: rxnorm('855332', 'warfarin sodium 5 MG Oral Tablet'), sig: '1 tablet by mouth once daily, adjust to INR', dose: [1, 'tablet'], timesPerDay: 1, indications: ['atrial-fibrillation'] },
  'clopidogrel-75': { coding: rxnorm('309362', 'clopidogrel 75 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['coronary-artery-disease', 'stroke'] },
  'aspirin-81': { coding: rxnorm('243670', 'aspirin 81 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['coronary-artery-disease', 'history-of-mi'] },
  'nitroglycerin-sl': { coding: rxnorm('198039', 'nitroglycerin 0.4 MG Sublingual Tablet'), sig: '1 tablet under the tongue every 5 minutes as needed for chest pain, maximum 3', dose: [1, 'tablet'], every: [5, 'min'], pack: 25, asNeeded: true, indications: ['coronary-artery-disease'] },
  'atorvastatin-10': { coding: rxnorm('617312', 'atorvastatin 10 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hyperlipidemia'] },
  'atorvastatin-40': { coding: rxnorm('617311', 'atorvastatin 40 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hyperlipidemia', 'coronary-artery-disease'] },
  'simvastatin-20': { coding: rxnorm('312961', 'simvastatin 20 MG Oral Tablet'), sig: '1 tablet by mouth every evening', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hyperlipidemia'] },
  'rosuvastatin-10': { coding: rxnorm('859747', 'rosuvastatin calcium 10 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hyperlipidemia'] },
  'metformin-er-500': { coding: rxnorm('860975', '24 HR metformin hydrochloride 500 MG Extended Release Oral Tablet'), sig: '1 tablet by mouth twice daily with meals', dose: [1, 'tablet'], timesPerDay: 2, indications: ['type2-diabetes', 'prediabetes'] },
  'liraglutide-pen': { coding: rxnorm('897122', '3 ML liraglutide 6 MG/ML Pen Injector'), sig: '1.2 mg under the skin once daily', dose: [1.2, 'mg'], timesPerDay: 1, indications: ['type2-diabetes'] },
  'canagliflozin-100': { coding: rxnorm('1373463', 'canagliflozin 100 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['type2-diabetes'] },
  'insulin-7030': { coding: rxnorm('106892', 'insulin isophane, human 70 UNT/ML / insulin, regular, human 30 UNT/ML Injectable Suspension [Humulin]'), sig: '20 units under the skin twice daily before meals', dose: [20, '[iU]'], timesPerDay: 2, indications: ['type2-diabetes'] },
  'insulin-lispro': { coding: rxnorm('865098', 'insulin lispro 100 UNT/ML Injectable Solution [Humalog]'), sig: '6 units under the skin three times daily before meals', dose: [6, '[iU]'], timesPerDay: 3, indications: ['type1-diabetes'] },
  'levothyroxine-75mcg': { coding: rxnorm('966222', 'levothyroxine sodium 0.075 MG Oral Tablet'), sig: '1 tablet by mouth every morning on an empty stomach', dose: [1, 'tablet'], timesPerDay: 1, indications: ['hypothyroidism'] },
  'albuterol-mdi': { coding: rxnorm('745752', 'NDA021457 200 ACTUAT albuterol 0.09 MG/ACTUAT Metered Dose Inhaler'), sig: '2 puffs inhaled every 4 to 6 hours as needed', dose: [2, 'puff'], every: [4, 'h', 6], pack: 200, asNeeded: true, indications: ['asthma', 'childhood-asthma', 'copd-chronic-bronchitis'] },
  'albuterol-neb': { coding: rxnorm('630208', 'albuterol 0.83 MG/ML Inhalation Solution'), sig: '3 mL by nebulizer every 6 hours as needed', dose: [3, 'mL'], every: [6, 'h'], pack: 75, asNeeded: true, indications: ['childhood-asthma', 'copd-chronic-bronchitis'] },
  'fluticasone-mdi-44': { coding: rxnorm('895996', '120 ACTUAT fluticasone propionate 0.044 MG/ACTUAT Metered Dose Inhaler [Flovent]'), sig: '2 puffs inhaled twice daily', dose: [2, 'puff'], timesPerDay: 2, indications: ['asthma', 'childhood-asthma'] },
  'fluticasone-salmeterol': { coding: rxnorm('896209', '60 ACTUAT fluticasone propionate 0.25 MG/ACTUAT / salmeterol 0.05 MG/ACTUAT Dry Powder Inhaler'), sig: '1 inhalation twice daily', dose: [1, 'inhalation'], timesPerDay: 2, indications: ['copd-chronic-bronchitis', 'emphysema'] },
  'prednisone-20': { coding: rxnorm('312615', 'prednisone 20 MG Oral Tablet'), sig: '2 tablets by mouth once daily for 5 days', dose: [2, 'tablet'], days: 5, timesPerDay: 1, course: true, indications: ['asthma'] },
  'loratadine-10': { coding: rxnorm('311372', 'loratadine 10 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['seasonal-allergic-rhinitis'] },
  'cetirizine-10': { coding: rxnorm('1014678', 'cetirizine hydrochloride 10 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['perennial-allergic-rhinitis'] },
  'epinephrine-auto': { coding: rxnorm('1870230', 'NDA020800 0.3 ML epinephrine 1 MG/ML Auto-Injector'), sig: 'inject 0.3 mg into the outer thigh for anaphylaxis', dose: [0.3, 'mg'], pack: 0.6, asNeeded: true, indications: ['food-allergy'] },
  'amoxicillin-500': { coding: rxnorm('308192', 'amoxicillin 500 MG Oral Tablet'), sig: '1 tablet by mouth three times daily for 10 days', dose: [1, 'tablet'], timesPerDay: 3, course: true, indications: ['strep-pharyngitis', 'otitis-media'] },
  'amox-clav-875': { coding: rxnorm('562508', 'amoxicillin 875 MG / clavulanate 125 MG Oral Tablet'), sig: '1 tablet by mouth twice daily for 10 days', dose: [1, 'tablet'], timesPerDay: 2, course: true, indications: ['viral-sinusitis', 'pneumonia'] },
  'azithromycin-250': { coding: rxnorm('308460', 'azithromycin 250 MG Oral Tablet'), sig: '2 tablets on day 1, then 1 tablet daily for 4 days', dose: [2, 'tablet'], days: 5, pack: 6, timesPerDay: 1, course: true, indications: ['pneumonia', 'acute-bronchitis'] },
  'penicillin-v-500': { coding: rxnorm('834102', 'penicillin V potassium 500 MG Oral Tablet'), sig: '1 tablet by mouth twice daily for 10 days', dose: [1, 'tablet'], timesPerDay: 2, course: true, indications: ['strep-pharyngitis'] },
  'cephalexin-500': { coding: rxnorm('197454', 'cephalexin 500 MG Oral Tablet'), sig: '1 tablet by mouth four times daily for 7 days', dose: [1, 'tablet'], days: 7, timesPerDay: 4, course: true, indications: ['urinary-tract-infection'] },
  'tmp-smx-ds': { coding: rxnorm('198335', 'sulfamethoxazole 800 MG / trimethoprim 160 MG Oral Tablet'), sig: '1 tablet by mouth twice daily for 3 days', dose: [1, 'tablet'], days: 3, timesPerDay: 2, course: true, indications: ['urinary-tract-infection'] },
  'doxycycline-100': { coding: rxnorm('1650142', 'doxycycline monohydrate 100 MG Oral Tablet'), sig: '1 tablet by mouth twice daily for 7 days', dose: [1, 'tablet'], days: 7, timesPerDay: 2, course: true, indications: ['acute-bronchitis'] },
  'acetaminophen-325': { coding: rxnorm('313782', 'acetaminophen 325 MG Oral Tablet'), sig: '1 to 2 tablets by mouth every 6 hours as needed', dose: [1, 'tablet'], every: [6, 'h'], pack: 60, asNeeded: true, indications: ['acute-uri', 'influenza', 'osteoarthritis-knee'] },
  'ibuprofen-200': { coding: rxnorm('310965', 'ibuprofen 200 MG Oral Tablet'), sig: '1 to 2 tablets by mouth every 6 hours as needed with food', dose: [1, 'tablet'], every: [6, 'h'], pack: 40, asNeeded: true, indications: ['sprain-of-ankle', 'migraine'] },
  'naproxen-500': { coding: rxnorm('198014', 'naproxen 500 MG Oral Tablet'), sig: '1 tablet by mouth twice daily with food', dose: [1, 'tablet'], timesPerDay: 2, indications: ['osteoarthritis-knee', 'osteoarthritis-hip', 'chronic-low-back-pain'] },
  'tramadol-50': { coding: rxnorm('835603', 'tramadol hydrochloride 50 MG Oral Tablet'), sig: '1 tablet by mouth every 6 hours as needed for severe pain', dose: [1, 'tablet'], every: [6, 'h'], pack: 30, asNeeded: true, indications: ['chronic-low-back-pain'] },
  'allopurinol-100': { coding: rxnorm('197319', 'allopurinol 100 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['gout'] },
  'colchicine-0.6': { coding: rxnorm('197541', 'colchicine 0.6 MG Oral Tablet'), sig: '1 tablet by mouth twice daily during flare', dose: [1, 'tablet'], timesPerDay: 2, course: true, indications: ['gout'] },
  'methotrexate-2.5': { coding: rxnorm('105585', 'methotrexate 2.5 MG Oral Tablet'), sig: '6 tablets by mouth once weekly', dose: [6, 'tablet'], every: [1, 'wk'], pack: 78, indications: ['rheumatoid-arthritis'] },
  'alendronate-10': { coding: rxnorm('904419', 'alendronic acid 10 MG Oral Tablet'), sig: '1 tablet by mouth every morning with water, upright', dose: [1, 'tablet'], timesPerDay: 1, indications: ['osteoporosis'] },
  'sertraline-100': { coding: rxnorm('312938', 'sertraline 100 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['major-depression', 'generalized-anxiety', 'ptsd'] },
  'fluoxetine-20': { coding: rxnorm('310385', 'fluoxetine 20 MG Oral Capsule'), sig: '1 capsule by mouth once daily', dose: [1, 'capsule'], timesPerDay: 1, indications: ['major-depression'] },
  'duloxetine-20': { coding: rxnorm('596926', 'duloxetine 20 MG Delayed Release Oral Capsule'), sig: '1 capsule by mouth twice daily', dose: [1, 'capsule'], timesPerDay: 2, indications: ['diabetic-neuropathy', 'generalized-anxiety'] },
  'methylphenidate-20': { coding: rxnorm('1091392', 'methylphenidate hydrochloride 20 MG Oral Tablet'), sig: '1 tablet by mouth every morning', dose: [1, 'tablet'], timesPerDay: 1, indications: ['adhd-child'] },
  'diazepam-5': { coding: rxnorm('197591', 'diazepam 5 MG Oral Tablet'), sig: '1 tablet by mouth every 12 hours as needed', dose: [1, 'tablet'], every: [12, 'h'], pack: 20, asNeeded: true, indications: ['generalized-anxiety'] },
  'pregabalin-100': { coding: rxnorm('483438', 'pregabalin 100 MG Oral Capsule'), sig: '1 capsule by mouth three times daily', dose: [1, 'capsule'], timesPerDay: 3, indications: ['diabetic-neuropathy'] },
  'omeprazole-20': { coding: rxnorm('198051', 'omeprazole 20 MG Delayed Release Oral Capsule'), sig: '1 capsule by mouth every morning before breakfast', dose: [1, 'capsule'], timesPerDay: 1, indications: ['gerd'] },
  'ferrous-sulfate-325': { coding: rxnorm('310325', 'ferrous sulfate 325 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['iron-deficiency-anemia', 'normal-pregnancy'] },
  'hydrocortisone-cream': { coding: rxnorm('106258', 'hydrocortisone 10 MG/ML Topical Cream'), sig: 'apply thin layer to affected area twice daily', dose: [1, 'application'], timesPerDay: 2, course: true, indications: ['atopic-dermatitis', 'contact-dermatitis'] },
  yaz: { coding: rxnorm('748856', 'Yaz 28 Day Pack'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], pack: 84, timesPerDay: 1, indications: ['contraception'] },
  'nicotine-patch-7': { coding: rxnorm('198031', 'nicotine 7 MG/Day 24HR Transdermal System'), sig: 'apply one patch daily', dose: [1, 'patch'], days: 28, timesPerDay: 1, course: true, indications: ['smoking-cessation'] },
  'naltrexone-50': { coding: rxnorm('1483744', 'naltrexone hydrochloride 50 MG Oral Tablet'), sig: '1 tablet by mouth once daily', dose: [1, 'tablet'], timesPerDay: 1, indications: ['alcohol-dependence'] },
  'tamoxifen-10': { coding: rxnorm('198240', 'tamoxifen 10 MG Oral Tablet'), sig: '2 tablets by mouth once daily', dose: [2, 'tablet'], timesPerDay: 1, indications: ['breast-cancer'] },
} as const satisfies Record<string, MedicationCode>

export type MedicationKey = keyof typeof medications

export function medicationCode(key: MedicationKey): MedicationCode {
  return medications[key]
}

/** Of one fill, in the unit of the dose: three months of what is taken for good, or the course. */
export function suppliedAmount(key: MedicationKey): number {
  const { dose, timesPerDay = 1, course, days = 10, pack } = medicationCode(key)
  return pack ?? Math.round((course ? days : 90) * timesPerDay * dose[0] * 10) / 10
}
