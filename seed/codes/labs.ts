/** Laboratory tests: LOINC, UCUM units, usual adult ranges and what healthy people have. For made-up people only. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { loinc, snomed } from './systems.ts'

interface LabCode {
  readonly coding: Coding
  readonly text: string
  /** UCUM; without one the result is positive or negative. */
  readonly unit?: string
  readonly low?: number
  readonly high?: number
  readonly mean?: number
  readonly deviation?: number
  readonly decimals?: number
}

export const labs = {
  glucose: { coding: loinc('2345-7', 'Glucose [Mass/volume] in Serum or Plasma'), text: 'Glucose', unit: 'mg/dL', low: 70, high: 99, mean: 90, deviation: 10, decimals: 0 },
  ureaNitrogen: { coding: loinc('3094-0', 'Urea nitrogen [Mass/volume] in Serum or Plasma'), text: 'Urea nitrogen', unit: 'mg/dL', low: 7, high: 20, mean: 14, deviation: 3.5, decimals: 0 },
  creatinine: { coding: loinc('2160-0', 'Creatinine [Mass/volume] in Serum or Plasma'), text: 'Creatinine', unit: 'mg/dL', low: 0.6, high: 1.3, mean: 0.9, deviation: 0.15, decimals: 2 },
  sodium: { coding: loinc('2951-2', 'Sodium [Moles/volume] in Serum or Plasma'), text: 'Sodium', unit: 'mmol/L', low: 136, high: 145, mean: 140, deviation: 2, decimals: 0 },
  potassium: { coding: loinc('2823-3', 'Potassium [Moles/volume] in Serum or Plasma'), text: 'Potassium', unit: 'mmol/L', low: 3.5, high: 5.1, mean: 4.2, deviation: 0.35, decimals: 1 },
  chloride: { coding: loinc('2075-0', 'Chloride [Moles/volume] in Serum or Plasma'), text: 'Chloride', unit: 'mmol/L', low: 98, high: 107, mean: 103, deviation: 2, decimals: 0 },
  carbonDioxide: { coding: loinc('2028-9', 'Carbon dioxide, total [Moles/volume] in Serum or Plasma'), text: 'Carbon dioxide, total', unit: 'mmol/L', low: 21, high: 31, mean: 25, deviation: 2, decimals: 0 },
  calcium: { coding: loinc('17861-6', 'Calcium [Mass/volume] in Serum or Plasma'), text: 'Calcium', unit: 'mg/dL', low: 8.6, high: 10.3, mean: 9.4, deviation: 0.35, decimals: 1 },
  protein: { coding: loinc('2885-2', 'Protein [Mass/volume] in Serum or Plasma'), text: 'Protein, total', unit: 'g/dL', low: 6, high: 8.3, mean: 7.1, deviation: 0.4, decimals: 1 },
  albumin: { coding: loinc('1751-7', 'Albumin [Mass/volume] in Serum or Plasma'), text: 'Albumin', unit: 'g/dL', low: 3.5, high: 5, mean: 4.3, deviation: 0.3, decimals: 1 },
  bilirubin: { coding: loinc('1975-2', 'Bilirubin.total [Mass/volume] in Serum or Plasma'), text: 'Bilirubin, total', unit: 'mg/dL', low: 0.1, high: 1.2, mean: 0.6, deviation: 0.25, decimals: 1 },
  alkalinePhosphatase: { coding: loinc('6768-6', 'Alkaline phosphatase [Enzymatic activity/volume] in Serum or Plasma'), text: 'Alkaline phosphatase', unit: 'U/L', low: 44, high: 121, mean: 75, deviation: 18, decimals: 0 },
  alt: { coding: loinc('1742-6', 'Alanine aminotransferase [Enzymatic activity/volume] in Serum or Plasma'), text: 'ALT', unit: 'U/L', low: 7, high: 56, mean: 24, deviation: 9, decimals: 0 },
  ast: { coding: loinc('1920-8', 'Aspartate aminotransferase [Enzymatic activity/volume] in Serum or Plasma'), text: 'AST', unit: 'U/L', low: 10, high: 40, mean: 22, deviation: 7, decimals: 0 },
  cholesterol: { coding: loinc('2093-3', 'Cholesterol [Mass/volume] in Serum or Plasma'), text: 'Cholesterol, total', unit: 'mg/dL', high: 200, mean: 185, deviation: 32, decimals: 0 },
  triglycerides: { coding: loinc('2571-8', 'Triglyceride [Mass/volume] in Serum or Plasma'), text: 'Triglycerides', unit: 'mg/dL', high: 150, mean: 120, deviation: 45, decimals: 0 },
  hdl: { coding: loinc('2085-9', 'Cholesterol in HDL [Mass/volume] in Serum or Plasma'), text: 'HDL cholesterol', unit: 'mg/dL', low: 40, mean: 54, deviation: 12, decimals: 0 },
  ldlCalculated: { coding: loinc('13457-7', 'Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation'), text: 'LDL cholesterol (calculated)', unit: 'mg/dL', high: 100, mean: 108, deviation: 28, decimals: 0 },
  ldlDirect: { coding: loinc('18262-6', 'Cholesterol in LDL [Mass/volume] in Serum or Plasma by Direct assay'), text: 'LDL cholesterol (direct)', unit: 'mg/dL', high: 100, mean: 108, deviation: 28, decimals: 0 },
  wbc: { coding: loinc('6690-2', 'Leukocytes [#/volume] in Blood by Automated count'), text: 'WBC', unit: '10*3/uL', low: 4, high: 11, mean: 6.8, deviation: 1.5, decimals: 1 },
  rbc: { coding: loinc('789-8', 'Erythrocytes [#/volume] in Blood by Automated count'), text: 'RBC', unit: '10*6/uL', low: 4, high: 5.7, mean: 4.8, deviation: 0.35, decimals: 2 },
  hemoglobin: { coding: loinc('718-7', 'Hemoglobin [Mass/volume] in Blood'), text: 'Hemoglobin', unit: 'g/dL', low: 12, high: 17, mean: 14.2, deviation: 1.1, decimals: 1 },
  hematocrit: { coding: loinc('4544-3', 'Hematocrit [Volume Fraction] of Blood by Automated count'), text: 'Hematocrit', unit: '%', low: 36, high: 50, mean: 42, deviation: 3.2, decimals: 1 },
  mcv: { coding: loinc('787-2', 'MCV [Entitic volume] by Automated count'), text: 'MCV', unit: 'fL', low: 80, high: 100, mean: 90, deviation: 4, decimals: 1 },
  mch: { coding: loinc('785-6', 'MCH [Entitic mass] by Automated count'), text: 'MCH', unit: 'pg', low: 27, high: 33, mean: 30, deviation: 1.5, decimals: 1 },
  mchc: { coding: loinc('786-4', 'MCHC [Mass/volume] by Automated count'), text: 'MCHC', unit: 'g/dL', low: 32, high: 36, mean: 34, deviation: 0.8, decimals: 1 },
  rdw: { coding: loinc('788-0', 'Erythrocyte distribution width [Ratio] by Automated count'), text: 'RDW', unit: '%', low: 11.5, high: 14.5, mean: 13, deviation: 0.7, decimals: 1 },
  platelets: { coding: loinc('777-3', 'Platelets [#/volume] in Blood by Automated count'), text: 'Platelets', unit: '10*3/uL', low: 150, high: 400, mean: 255, deviation: 55, decimals: 0 },
  plateletVolume: { coding: loinc('32623-1', 'Platelet mean volume [Entitic volume] in Blood by Automated count'), text: 'Mean platelet volume', unit: 'fL', low: 7.5, high: 11.5, mean: 9.4, deviation: 0.8, decimals: 1 },
  neutrophils: { coding: loinc('770-8', 'Neutrophils/100 leukocytes in Blood by Automated count'), text: 'Neutrophils/100 leukocytes', unit: '%', low: 40, high: 70, mean: 58, deviation: 7, decimals: 1 },
  lymphocytes: { coding: loinc('736-9', 'Lymphocytes/100 leukocytes in Blood by Automated count'), text: 'Lymphocytes/100 leukocytes', unit: '%', low: 20, high: 45, mean: 31, deviation: 6, decimals: 1 },
  monocytes: { coding: loinc('5905-5', 'Monocytes/100 leukocytes in Blood by Automated count'), text: 'Monocytes/100 leukocytes', unit: '%', low: 2, high: 10, mean: 7, deviation: 1.7, decimals: 1 },
  eosinophils: { coding: loinc('713-8', 'Eosinophils/100 leukocytes in Blood by Automated count'), text: 'Eosinophils/100 leukocytes', unit: '%', low: 0, high: 6, mean: 2.8, deviation: 1.3, decimals: 1 },
  basophils: { coding: loinc('706-2', 'Basophils/100 leukocytes in Blood by Automated count'), text: 'Basophils/100 leukocytes', unit: '%', low: 0, high: 2, mean: 0.6, deviation: 0.3, decimals: 1 },
  urineGravity: { coding: loinc('5811-5', 'Specific gravity of Urine by Test strip'), text: 'Specific gravity of urine', unit: '1', low: 1.005, high: 1.03, mean: 1.017, deviation: 0.006, decimals: 3 },
  urinePh: { coding: loinc('5803-2', 'pH of Urine by Test strip'), text: 'pH of urine', unit: '[pH]', low: 5, high: 8, mean: 6.1, deviation: 0.6, decimals: 1 },
  urineGlucose: { coding: loinc('5792-7', 'Glucose [Mass/volume] in Urine by Test strip'), text: 'Glucose in urine', unit: 'mg/dL', high: 15, mean: 0, deviation: 4, decimals: 0 },
  urineProtein: { coding: loinc('5804-0', 'Protein [Mass/volume] in Urine by Test strip'), text: 'Protein in urine', unit: 'mg/dL', high: 20, mean: 5, deviation: 6, decimals: 0 },
  urineKetones: { coding: loinc('5797-6', 'Ketones [Mass/volume] in Urine by Test strip'), text: 'Ketones in urine', unit: 'mg/dL', high: 5, mean: 0, deviation: 2, decimals: 0 },
  urineHemoglobin: { coding: loinc('5794-3', 'Hemoglobin [Presence] in Urine by Test strip'), text: 'Hemoglobin in urine, presence' },
  urineLeukocytes: { coding: loinc('5799-2', 'Leukocyte esterase [Presence] in Urine by Test strip'), text: 'Leukocyte esterase, presence' },
  urineNitrite: { coding: loinc('5802-4', 'Nitrite [Presence] in Urine by Test strip'), text: 'Nitrite, presence' },
  a1c: { coding: loinc('4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood'), text: 'Hemoglobin A1c', unit: '%', low: 4, high: 5.6, mean: 5.4, deviation: 0.25, decimals: 1 },
  albuminCreatinine: { coding: loinc('14959-1', 'Microalbumin/Creatinine [Mass Ratio] in Urine'), text: 'Microalbumin/creatinine ratio, urine', unit: 'mg/g', low: 0, high: 30, mean: 9, deviation: 6, decimals: 0 },
  egfr: { coding: loinc('33914-3', 'Glomerular filtration rate/1.73 sq M.predicted [Volume Rate/Area] in Serum or Plasma by Creatinine-based formula (MDRD)'), text: 'eGFR (MDRD)', unit: 'mL/min/{1.73_m2}', low: 60, mean: 92, deviation: 15, decimals: 0 },
  tsh: { coding: loinc('3016-3', 'Thyrotropin [Units/volume] in Serum or Plasma'), text: 'TSH', unit: 'm[IU]/L', low: 0.4, high: 4.5, mean: 1.9, deviation: 0.8, decimals: 2 },
  freeT4: { coding: loinc('3024-7', 'Thyroxine (T4) free [Mass/volume] in Serum or Plasma'), text: 'Free T4', unit: 'ng/dL', low: 0.8, high: 1.8, mean: 1.2, deviation: 0.17, decimals: 2 },
  ferritin: { coding: loinc('2276-4', 'Ferritin [Mass/volume] in Serum or Plasma'), text: 'Ferritin', unit: 'ng/mL', low: 15, high: 300, mean: 95, deviation: 55, decimals: 0 },
  iron: { coding: loinc('2498-4', 'Iron [Mass/volume] in Serum or Plasma'), text: 'Iron', unit: 'ug/dL', low: 50, high: 170, mean: 95, deviation: 28, decimals: 0 },
  psa: { coding: loinc('2857-1', 'Prostate specific Ag [Mass/volume] in Serum or Plasma'), text: 'PSA', unit: 'ng/mL', high: 4, mean: 1.2, deviation: 0.8, decimals: 2 },
  inr: { coding: loinc('6301-6', 'INR in Platelet poor plasma by Coagulation assay'), text: 'INR', unit: '1', low: 0.9, high: 1.1, mean: 1, deviation: 0.06, decimals: 1 },
  prothrombinTime: { coding: loinc('5902-2', 'Prothrombin time (PT)'), text: 'Prothrombin time', unit: 's', low: 11, high: 13.5, mean: 12.2, deviation: 0.6, decimals: 1 },
  crp: { coding: loinc('1988-5', 'C reactive protein [Mass/volume] in Serum or Plasma'), text: 'CRP', unit: 'mg/L', high: 10, mean: 3, deviation: 2, decimals: 1 },
  ntProBnp: { coding: loinc('33762-6', 'Natriuretic peptide.B prohormone N-Terminal [Mass/volume] in Serum or Plasma'), text: 'NT-proBNP', unit: 'pg/mL', high: 125, mean: 60, deviation: 30, decimals: 0 },
  hcg: { coding: loinc('2106-3', 'Choriogonadotropin (pregnancy test) [Presence] in Urine'), text: 'hCG, urine presence' },
  influenzaA: { coding: loinc('92142-9', 'Influenza virus A RNA [Presence] in Respiratory specimen by NAA with probe detection'), text: 'Influenza A RNA' },
  fit: { coding: loinc('57905-2', 'Hemoglobin.gastrointestinal.lower [Presence] in Stool by Immunoassay --1st specimen'), text: 'Hemoglobin.gastrointestinal (FIT)' },
} as const satisfies Record<string, LabCode>

export type LabKey = keyof typeof labs

export function labCode(key: LabKey): LabCode {
  return labs[key]
}

/** Results that are words. */
export const findings = { detected: snomed('260373001', 'Detected (qualifier value)'), notDetected: snomed('260415000', 'Not detected (qualifier value)'), positive: snomed('10828004', 'Positive (qualifier value)'), negative: snomed('260385009', 'Negative (qualifier value)') } as const

export const specimens = { serum: snomed('119364003', 'Serum specimen (specimen)'), blood: snomed('119297000', 'Blood specimen (specimen)'), urine: snomed('122575003', 'Urine specimen (specimen)') } as const

interface PanelCode {
  readonly coding: Coding
  readonly text: string
  readonly specimen: keyof typeof specimens
  readonly members: readonly LabKey[]
}

export const panels = {
  cmp: {
    coding: loinc('24323-8', 'Comprehensive metabolic 2000 panel - Serum or Plasma'),
    text: 'Comprehensive metabolic panel',
    specimen: 'serum',
    members: ['glucose', 'ureaNitrogen', 'creatinine', 'sodium', 'potassium', 'chloride', 'carbonDioxide', 'calcium', 'protein', 'albumin', 'bilirubin', 'alkalinePhosphatase', 'alt', 'ast'],
  },
  bmp: { coding: loinc('51990-0', 'Basic metabolic panel - Blood'), text: 'Basic metabolic panel', specimen: 'serum', members: ['glucose', 'ureaNitrogen', 'creatinine', 'sodium', 'potassium', 'chloride', 'carbonDioxide', 'calcium'] },
  lipid: { coding: loinc('57698-3', 'Lipid panel with direct LDL - Serum or Plasma'), text: 'Lipid panel', specimen: 'serum', members: ['cholesterol', 'triglycerides', 'hdl', 'ldlCalculated'] },
  cbc: { coding: loinc('58410-2', 'CBC panel - Blood by Automated count'), text: 'Complete blood count', specimen: 'blood', members: ['wbc', 'rbc', 'hemoglobin', 'hematocrit', 'mcv', 'mch', 'mchc', 'rdw', 'platelets', 'plateletVolume', 'neutrophils', 'lymphocytes', 'monocytes', 'eosinophils', 'basophils'] },
  urinalysis: { coding: loinc('24356-8', 'Urinalysis complete panel - Urine'), text: 'Urinalysis', specimen: 'urine', members: ['urineGravity', 'urinePh', 'urineGlucose', 'urineProtein', 'urineKetones', 'urineHemoglobin', 'urineLeukocytes', 'urineNitrite'] },
} as const satisfies Record<string, PanelCode>

export type PanelKey = keyof typeof panels

export function panelCode(key: PanelKey): PanelCode {
  return panels[key]
}
