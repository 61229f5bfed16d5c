/** Vital signs: LOINC and the UCUM units that their profiles fix. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { loinc } from './systems.ts'

interface VitalCode {
  readonly coding: Coding
  /** UCUM. */
  readonly unit: string
}

export const vitals = {
  bloodPressure: { coding: loinc('85354-9', 'Blood pressure panel with all children optional'), unit: 'mm[Hg]' },
  systolic: { coding: loinc('8480-6', 'Systolic blood pressure'), unit: 'mm[Hg]' },
  diastolic: { coding: loinc('8462-4', 'Diastolic blood pressure'), unit: 'mm[Hg]' },
  heartRate: { coding: loinc('8867-4', 'Heart Rate'), unit: '/min' },
  respiratoryRate: { coding: loinc('9279-1', 'Respiratory rate'), unit: '/min' },
  temperature: { coding: loinc('8310-5', 'Body temperature'), unit: 'Cel' },
  height: { coding: loinc('8302-2', 'Body height'), unit: 'cm' },
  weight: { coding: loinc('29463-7', 'Body Weight'), unit: 'kg' },
  bmi: { coding: loinc('39156-5', 'Body mass index (BMI) [Ratio]'), unit: 'kg/m2' },
  oxygenSaturation: { coding: loinc('59408-5', 'Oxygen saturation in Arterial blood by Pulse oximetry'), unit: '%' },
  oxygenSaturationArterial: { coding: loinc('2708-6', 'Oxygen saturation in Arterial blood'), unit: '%' },
  oxygenFlow: { coding: loinc('3151-8', 'Inhaled oxygen flow rate'), unit: 'L/min' },
  oxygenConcentration: { coding: loinc('3150-0', 'Inhaled oxygen concentration'), unit: '%' },
  headCircumference: { coding: loinc('9843-4', 'Head Occipital-frontal circumference'), unit: 'cm' },
  headPercentile: { coding: loinc('8289-1', 'Head Occipital-frontal circumference Percentile'), unit: '%' },
  weightForLength: { coding: loinc('77606-2', 'Weight-for-length Per age and sex'), unit: '%' },
  bmiPercentile: { coding: loinc('59576-9', 'Body mass index (BMI) [Percentile] Per age and sex'), unit: '%' },
} as const satisfies Record<string, VitalCode>

export type VitalKey = keyof typeof vitals
