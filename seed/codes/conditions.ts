/**
 * Conditions: SNOMED CT with ICD-10-CM beside it, and whom they befall. Shares and yearly rates are rounded design
 * figures for made-up people, not statistics. Only codes found in a published source are here.
 */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { icd10, snomed } from './systems.ts'

interface ConditionCode {
  readonly codings: readonly Coding[]
  readonly text: string
  readonly kind: 'chronic' | 'acute' | 'history' | 'pregnancy' | 'sdoh'
  readonly sex: 'any' | 'female' | 'male'
  /** Whole years. */
  readonly ages: readonly [min: number, max: number]
  /** Share of the people of that sex and age. */
  readonly share?: number
  /** Cases per person and year. */
  readonly yearly?: number
}

export const conditions = {
  hypertension: { codings: [snomed('59621000', 'Essential hypertension (disorder)'), icd10('I10', 'Essential (primary) hypertension')], text: 'Essential hypertension', kind: 'chronic', sex: 'any', ages: [20, 95], share: 0.32 },
  prediabetes: { codings: [snomed('714628002', 'Prediabetes (finding)'), icd10('R73.03', 'Prediabetes')], text: 'Prediabetes', kind: 'chronic', sex: 'any', ages: [18, 90], share: 0.3 },
  'type2-diabetes': { codings: [snomed('44054006', 'Diabetes mellitus type 2 (disorder)'), icd10('E11.9', 'Type 2 diabetes mellitus without complications')], text: 'Diabetes mellitus type 2', kind: 'chronic', sex: 'any', ages: [30, 90], share: 0.11 },
  'type1-diabetes': { codings: [snomed('46635009', 'Diabetes mellitus type 1 (disorder)'), icd10('E10.9', 'Type 1 diabetes mellitus without complications')], text: 'Diabetes mellitus type 1', kind: 'chronic', sex: 'any', ages: [4, 80], share: 0.005 },
  'diabetic-nephropathy': { codings: [snomed('127013003', 'Disorder of kidney due to diabetes mellitus (disorder)'), icd10('E11.21', 'Type 2 diabetes mellitus with diabetic nephropathy')], text: 'Disorder of kidney due to diabetes mellitus', kind: 'chronic', sex: 'any', ages: [40, 95], share: 0.03 },
  'diabetic-neuropathy': { codings: [snomed('368581000119106', 'Neuropathy due to type 2 diabetes mellitus (disorder)'), icd10('E11.40', 'Type 2 diabetes mellitus with diabetic neuropathy, unspecified')], text: 'Neuropathy due to type 2 diabetes mellitus', kind: 'chronic', sex: 'any', ages: [40, 95], share: 0.03 },
  'diabetic-retinopathy': {
    codings: [snomed('1551000119108', 'Nonproliferative diabetic retinopathy due to type 2 diabetes mellitus (disorder)'), icd10('E11.3299', 'Type 2 diabetes mellitus with mild nonproliferative diabetic retinopathy without macular edema, unspecified eye')],
    text: 'Nonproliferative diabetic retinopathy due to type 2 diabetes mellitus',
    kind: 'chronic',
    sex: 'any',
    ages: [40, 95],
    share: 0.02,
  },
  hyperlipidemia: { codings: [snomed('55822004', 'Hyperlipidemia (disorder)'), icd10('E78.5', 'Hyperlipidemia, unspecified')], text: 'Hyperlipidemia', kind: 'chronic', sex: 'any', ages: [20, 95], share: 0.28 },
  hypertriglyceridemia: { codings: [snomed('302870006', 'Hypertriglyceridemia (disorder)'), icd10('E78.1', 'Pure hyperglyceridemia')], text: 'Hypertriglyceridemia', kind: 'chronic', sex: 'any', ages: [20, 95], share: 0.1 },
  obesity: { codings: [snomed('162864005', 'Body mass index 30+ - obesity (finding)'), icd10('E66.9', 'Obesity, unspecified')], text: 'Body mass index 30+ - obesity', kind: 'chronic', sex: 'any', ages: [2, 95], share: 0.36 },
  'ckd-stage-1': { codings: [snomed('431855005', 'Chronic kidney disease stage 1 (disorder)'), icd10('N18.1', 'Chronic kidney disease, stage 1')], text: 'Chronic kidney disease stage 1', kind: 'chronic', sex: 'any', ages: [30, 95], share: 0.02 },
  'ckd-stage-2': { codings: [snomed('431856006', 'Chronic kidney disease stage 2 (disorder)'), icd10('N18.2', 'Chronic kidney disease, stage 2 (mild)')], text: 'Chronic kidney disease stage 2', kind: 'chronic', sex: 'any', ages: [35, 95], share: 0.03 },
  'ckd-stage-3': { codings: [snomed('433144002', 'Chronic kidney disease stage 3 (disorder)'), icd10('N18.30', 'Chronic kidney disease, stage 3 unspecified')], text: 'Chronic kidney disease stage 3', kind: 'chronic', sex: 'any', ages: [40, 95], share: 0.05 },
  'ckd-stage-4': { codings: [snomed('431857002', 'Chronic kidney disease stage 4 (disorder)'), icd10('N18.4', 'Chronic kidney disease, stage 4 (severe)')], text: 'Chronic kidney disease stage 4', kind: 'chronic', sex: 'any', ages: [45, 95], share: 0.005 },
  asthma: { codings: [snomed('195967001', 'Asthma (disorder)'), icd10('J45.909', 'Unspecified asthma, uncomplicated')], text: 'Asthma', kind: 'chronic', sex: 'any', ages: [5, 90], share: 0.08 },
  'childhood-asthma': { codings: [snomed('233678006', 'Childhood asthma (disorder)'), icd10('J45.909', 'Unspecified asthma, uncomplicated')], text: 'Childhood asthma', kind: 'chronic', sex: 'any', ages: [2, 17], share: 0.07 },
  'copd-chronic-bronchitis': { codings: [snomed('185086009', 'Chronic obstructive bronchitis (disorder)'), icd10('J44.9', 'Chronic obstructive pulmonary disease, unspecified')], text: 'Chronic obstructive bronchitis', kind: 'chronic', sex: 'any', ages: [45, 95], share: 0.04 },
  emphysema: { codings: [snomed('87433001', 'Pulmonary emphysema (disorder)'), icd10('J43.9', 'Emphysema, unspecified')], text: 'Pulmonary emphysema', kind: 'chronic', sex: 'any', ages: [45, 95], share: 0.015 },
  'acute-uri': { codings: [snomed('54150009', 'Upper respiratory infection (disorder)'), icd10('J06.9', 'Acute upper respiratory infection, unspecified')], text: 'Upper respiratory infection', kind: 'acute', sex: 'any', ages: [0, 95], yearly: 0.25 },
  'acute-viral-pharyngitis': { codings: [snomed('195662009', 'Acute viral pharyngitis (disorder)'), icd10('J02.8', 'Acute pharyngitis due to other specified organisms')], text: 'Acute viral pharyngitis', kind: 'acute', sex: 'any', ages: [1, 80], yearly: 0.08 },
  'viral-sinusitis': { codings: [snomed('444814009', 'Viral sinusitis (disorder)'), icd10('J01.90', 'Acute sinusitis, unspecified')], text: 'Viral sinusitis', kind: 'acute', sex: 'any', ages: [5, 90], yearly: 0.08 },
  'acute-bronchitis': { codings: [snomed('10509002', 'Acute bronchitis (disorder)'), icd10('J20.9', 'Acute bronchitis, unspecified')], text: 'Acute bronchitis', kind: 'acute', sex: 'any', ages: [1, 95], yearly: 0.05 },
  'strep-pharyngitis': { codings: [snomed('43878008', 'Streptococcal sore throat (disorder)'), icd10('J02.0', 'Streptococcal pharyngitis')], text: 'Streptococcal sore throat', kind: 'acute', sex: 'any', ages: [3, 45], yearly: 0.03 },
  'otitis-media': { codings: [snomed('65363002', 'Otitis media (disorder)'), icd10('H66.90', 'Otitis media, unspecified, unspecified ear')], text: 'Otitis media', kind: 'acute', sex: 'any', ages: [0, 12], yearly: 0.2 },
  influenza: { codings: [snomed('6142004', 'Influenza (disorder)'), icd10('J11.1', 'Influenza due to unidentified influenza virus with other respiratory manifestations')], text: 'Influenza', kind: 'acute', sex: 'any', ages: [0, 95], yearly: 0.06 },
  'covid-19': { codings: [snomed('840539006', 'Disease caused by severe acute respiratory syndrome coronavirus 2 (disorder)'), icd10('U07.1', 'COVID-19')], text: 'Disease caused by severe acute respiratory syndrome coronavirus 2', kind: 'acute', sex: 'any', ages: [0, 95], yearly: 0.06 },
  pneumonia: { codings: [snomed('233604007', 'Pneumonia (disorder)'), icd10('J18.9', 'Pneumonia, unspecified organism')], text: 'Pneumonia', kind: 'acute', sex: 'any', ages: [0, 95], yearly: 0.01 },
  'urinary-tract-infection': { codings: [snomed('68566005', 'Urinary tract infectious disease (disorder)'), icd10('N39.0', 'Urinary tract infection, site not specified')], text: 'Urinary tract infectious disease', kind: 'acute', sex: 'female', ages: [15, 95], yearly: 0.08 },
  gerd: { codings: [snomed('235595009', 'Gastroesophageal reflux disease (disorder)'), icd10('K21.9', 'Gastro-esophageal reflux disease without esophagitis')], text: 'Gastroesophageal reflux disease', kind: 'chronic', sex: 'any', ages: [20, 95], share: 0.15 },
  anemia: { codings: [snomed('271737000', 'Anemia (disorder)'), icd10('D64.9', 'Anemia, unspecified')], text: 'Anemia', kind: 'chronic', sex: 'any', ages: [1, 95], share: 0.05 },
  'iron-deficiency-anemia': { codings: [snomed('87522002', 'Iron deficiency anemia (disorder)'), icd10('D50.9', 'Iron deficiency anemia, unspecified')], text: 'Iron deficiency anemia', kind: 'chronic', sex: 'female', ages: [12, 95], share: 0.04 },
  hypothyroidism: { codings: [snomed('40930008', 'Hypothyroidism (disorder)'), icd10('E03.9', 'Hypothyroidism, unspecified')], text: 'Hypothyroidism', kind: 'chronic', sex: 'any', ages: [20, 95], share: 0.05 },
  'major-depression': { codings: [snomed('370143000', 'Major depressive disorder (disorder)'), icd10('F32.9', 'Major depressive disorder, single episode, unspecified')], text: 'Major depressive disorder', kind: 'chronic', sex: 'any', ages: [12, 95], share: 0.09 },
  'generalized-anxiety': { codings: [snomed('21897009', 'Generalized anxiety disorder (disorder)'), icd10('F41.1', 'Generalized anxiety disorder')], text: 'Generalized anxiety disorder', kind: 'chronic', sex: 'any', ages: [12, 95], share: 0.06 },
  ptsd: { codings: [snomed('47505003', 'Posttraumatic stress disorder (disorder)'), icd10('F43.10', 'Post-traumatic stress disorder, unspecified')], text: 'Posttraumatic stress disorder', kind: 'chronic', sex: 'any', ages: [15, 90], share: 0.035 },
  'adhd-child': { codings: [snomed('192127007', 'Child attention deficit disorder (disorder)'), icd10('F90.9', 'Attention-deficit hyperactivity disorder, unspecified type')], text: 'Child attention deficit disorder', kind: 'chronic', sex: 'any', ages: [5, 17], share: 0.08 },
  migraine: { codings: [icd10('G43.909', 'Migraine, unspecified, not intractable, without status migrainosus')], text: 'Migraine', kind: 'chronic', sex: 'any', ages: [10, 70], share: 0.12 },
  epilepsy: { codings: [snomed('84757009', 'Epilepsy (disorder)'), icd10('G40.909', 'Epilepsy, unspecified, not intractable, without status epilepticus')], text: 'Epilepsy', kind: 'chronic', sex: 'any', ages: [1, 90], share: 0.011 },
  'osteoarthritis-knee': { codings: [snomed('239873007', 'Osteoarthritis of knee (disorder)'), icd10('M17.9', 'Osteoarthritis of knee, unspecified')], text: 'Osteoarthritis of knee', kind: 'chronic', sex: 'any', ages: [45, 95], share: 0.12 },
  'osteoarthritis-hip': { codings: [snomed('239872002', 'Osteoarthritis of hip (disorder)'), icd10('M16.9', 'Osteoarthritis of hip, unspecified')], text: 'Osteoarthritis of hip', kind: 'chronic', sex: 'any', ages: [50, 95], share: 0.05 },
  'chronic-low-back-pain': { codings: [snomed('278860009', 'Chronic low back pain (finding)')], text: 'Chronic low back pain', kind: 'chronic', sex: 'any', ages: [20, 90], share: 0.1 },
  osteoporosis: { codings: [snomed('64859006', 'Osteoporosis (disorder)'), icd10('M81.0', 'Age-related osteoporosis without current pathological fracture')], text: 'Osteoporosis', kind: 'chronic', sex: 'female', ages: [55, 95], share: 0.12 },
  gout: { codings: [snomed('90560007', 'Inflammatory disorder due to increased blood urate level (disorder)'), icd10('M10.9', 'Gout, unspecified')], text: 'Gout', kind: 'chronic', sex: 'any', ages: [30, 95], share: 0.04 },
  'rheumatoid-arthritis': { codings: [snomed('69896004', 'Rheumatoid arthritis (disorder)'), icd10('M06.9', 'Rheumatoid arthritis, unspecified')], text: 'Rheumatoid arthritis', kind: 'chronic', sex: 'any', ages: [25, 95], share: 0.007 },
  'atrial-fibrillation': { codings: [snomed('49436004', 'Atrial fibrillation (disorder)'), icd10('I48.91', 'Unspecified atrial fibrillation')], text: 'Atrial fibrillation', kind: 'chronic', sex: 'any', ages: [50, 95], share: 0.03 },
  'coronary-artery-disease': { codings: [icd10('I25.10', 'Atherosclerotic heart disease of native coronary artery without angina pectoris')], text: 'Coronary arteriosclerosis', kind: 'chronic', sex: 'any', ages: [45, 95], share: 0.06 },
  'heart-failure': { codings: [snomed('88805009', 'Chronic congestive heart failure (disorder)'), icd10('I50.9', 'Heart failure, unspecified')], text: 'Chronic congestive heart failure', kind: 'chronic', sex: 'any', ages: [50, 95], share: 0.02 },
  stroke: { codings: [snomed('230690007', 'Cerebrovascular accident (disorder)'), icd10('I63.9', 'Cerebral infarction, unspecified')], text: 'Cerebrovascular accident', kind: 'acute', sex: 'any', ages: [50, 95], yearly: 0.004 },
  'history-of-mi': { codings: [snomed('399211009', 'History of myocardial infarction (situation)'), icd10('I25.2', 'Old myocardial infarction')], text: 'History of myocardial infarction', kind: 'history', sex: 'any', ages: [45, 95], share: 0.03 },
  'seasonal-allergic-rhinitis': { codings: [snomed('367498001', 'Seasonal allergic rhinitis (disorder)'), icd10('J30.2', 'Other seasonal allergic rhinitis')], text: 'Seasonal allergic rhinitis', kind: 'chronic', sex: 'any', ages: [5, 80], share: 0.12 },
  'perennial-allergic-rhinitis': { codings: [snomed('446096008', 'Perennial allergic rhinitis (disorder)'), icd10('J30.89', 'Other allergic rhinitis')], text: 'Perennial allergic rhinitis', kind: 'chronic', sex: 'any', ages: [5, 80], share: 0.05 },
  'atopic-dermatitis': { codings: [snomed('24079001', 'Atopic dermatitis (disorder)'), icd10('L20.9', 'Atopic dermatitis, unspecified')], text: 'Atopic dermatitis', kind: 'chronic', sex: 'any', ages: [0, 40], share: 0.07 },
  'contact-dermatitis': { codings: [snomed('40275004', 'Contact dermatitis (disorder)'), icd10('L25.9', 'Unspecified contact dermatitis, unspecified cause')], text: 'Contact dermatitis', kind: 'acute', sex: 'any', ages: [1, 80], yearly: 0.03 },
  'normal-pregnancy': { codings: [snomed('72892002', 'Normal pregnancy (finding)'), icd10('Z34.90', 'Encounter for supervision of normal pregnancy, unspecified, unspecified trimester')], text: 'Normal pregnancy', kind: 'pregnancy', sex: 'female', ages: [16, 45], share: 0.06 },
  'gestational-diabetes': { codings: [icd10('O24.419', 'Gestational diabetes mellitus in pregnancy, unspecified control')], text: 'Gestational diabetes mellitus', kind: 'pregnancy', sex: 'female', ages: [18, 45], share: 0.004 },
  preeclampsia: { codings: [snomed('398254007', 'Pre-eclampsia (disorder)'), icd10('O14.90', 'Unspecified pre-eclampsia, unspecified trimester')], text: 'Pre-eclampsia', kind: 'pregnancy', sex: 'female', ages: [16, 45], share: 0.002 },
  miscarriage: { codings: [snomed('19169002', 'Miscarriage in first trimester (disorder)'), icd10('O03.9', 'Complete or unspecified spontaneous abortion without complication')], text: 'Miscarriage in first trimester', kind: 'pregnancy', sex: 'female', ages: [16, 45], share: 0.006 },
  'sprain-of-ankle': { codings: [snomed('44465007', 'Sprain of ankle (disorder)'), icd10('S93.409A', 'Sprain of unspecified ligament of unspecified ankle, initial encounter')], text: 'Sprain of ankle', kind: 'acute', sex: 'any', ages: [8, 70], yearly: 0.02 },
  concussion: { codings: [snomed('62106007', 'Concussion with no loss of consciousness (disorder)'), icd10('S06.0X0A', 'Concussion without loss of consciousness, initial encounter')], text: 'Concussion with no loss of consciousness', kind: 'acute', sex: 'any', ages: [5, 80], yearly: 0.006 },
  'alcohol-dependence': { codings: [snomed('7200002', 'Alcoholism (disorder)'), icd10('F10.20', 'Alcohol dependence, uncomplicated')], text: 'Alcoholism', kind: 'chronic', sex: 'any', ages: [18, 80], share: 0.03 },
  'obstructive-sleep-apnea': { codings: [snomed('78275009', 'Obstructive sleep apnea syndrome (disorder)'), icd10('G47.33', 'Obstructive sleep apnea (adult) (pediatric)')], text: 'Obstructive sleep apnea syndrome', kind: 'chronic', sex: 'any', ages: [25, 90], share: 0.08 },
  'polyp-of-colon': { codings: [snomed('68496003', 'Polyp of colon (disorder)'), icd10('K63.5', 'Polyp of colon')], text: 'Polyp of colon', kind: 'chronic', sex: 'any', ages: [45, 90], share: 0.06 },
  appendicitis: { codings: [snomed('74400008', 'Appendicitis (disorder)'), icd10('K35.80', 'Unspecified acute appendicitis')], text: 'Appendicitis', kind: 'acute', sex: 'any', ages: [6, 60], yearly: 0.001 },
  'benign-prostatic-hyperplasia': { codings: [icd10('N40.0', 'Benign prostatic hyperplasia without lower urinary tract symptoms')], text: 'Benign prostatic hyperplasia', kind: 'chronic', sex: 'male', ages: [50, 95], share: 0.15 },
  'breast-cancer': { codings: [snomed('254837009', 'Malignant neoplasm of breast (disorder)'), icd10('C50.919', 'Malignant neoplasm of unspecified site of unspecified female breast')], text: 'Malignant neoplasm of breast', kind: 'chronic', sex: 'female', ages: [40, 90], share: 0.02 },
  'prostate-cancer': { codings: [snomed('126906006', 'Neoplasm of prostate (disorder)'), icd10('C61', 'Malignant neoplasm of prostate')], text: 'Neoplasm of prostate', kind: 'chronic', sex: 'male', ages: [50, 95], share: 0.02 },
  'food-insecurity': { codings: [snomed('733423003', 'Food insecurity (finding)')], text: 'Food insecurity', kind: 'sdoh', sex: 'any', ages: [0, 95], share: 0.1 },
  unemployed: { codings: [snomed('73438004', 'Unemployed (finding)'), icd10('Z56.0', 'Unemployment, unspecified')], text: 'Unemployed', kind: 'sdoh', sex: 'any', ages: [18, 67], share: 0.05 },
  homeless: { codings: [snomed('32911000', 'Homeless (finding)')], text: 'Homeless', kind: 'sdoh', sex: 'any', ages: [0, 95], share: 0.005 },
  'transport-insecurity': { codings: [snomed('713458007', 'Lack of access to transportation (finding)'), icd10('Z75.3', 'Unavailability and inaccessibility of health-care facilities')], text: 'Lack of access to transportation', kind: 'sdoh', sex: 'any', ages: [0, 95], share: 0.05 },
  stress: { codings: [snomed('73595000', 'Stress (finding)'), icd10('Z73.3', 'Stress, not elsewhere classified')], text: 'Stress', kind: 'sdoh', sex: 'any', ages: [14, 95], share: 0.15 },
  'social-isolation': { codings: [snomed('422650009', 'Social isolation (finding)'), icd10('Z60.4', 'Social exclusion and rejection')], text: 'Social isolation', kind: 'sdoh', sex: 'any', ages: [18, 95], share: 0.08 },
  'unsatisfactory-housing': { codings: [snomed('105531004', 'Housing unsatisfactory (finding)'), icd10('Z59.1', 'Inadequate housing')], text: 'Housing unsatisfactory', kind: 'sdoh', sex: 'any', ages: [0, 95], share: 0.04 },
} as const satisfies Record<string, ConditionCode>

export type ConditionKey = keyof typeof conditions

export function conditionCode(key: ConditionKey): ConditionCode {
  return conditions[key]
}
