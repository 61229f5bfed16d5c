/**
 * https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-medicationrequest.html and its neighbours. Some
 * orders refer to a Medication of the practice's list instead of holding the code: clients must read both.
 */
import type {
  CodeableConcept,
  Dosage,
  Medication,
  MedicationDispense,
  MedicationRequest,
  Quantity,
  Reference,
} from 'fhir/r4.js'
import {
  dispenseTypes,
  type MedicationKey,
  medicationCategories,
  medications,
  namingSystems,
  profiles,
} from '../codes/codes.ts'
import type { DispenseEvent, PrescriptionEvent } from '../timeline/events.ts'
import {
  type Context,
  clinicalMeta,
  encounterOf,
  practitioner,
  reasons,
  subject,
} from './clinical-elements.ts'
import { concept } from './elements.ts'

/** What the practice keeps in stock. */
export const listedMedications = [
  'albuterol-neb',
  'hydrocortisone-cream',
] as const satisfies readonly MedicationKey[]

export const pharmacyId = 'org-pharmacy'

export function medicationResource(key: MedicationKey): Medication {
  return {
    resourceType: 'Medication',
    id: medicationId(key),
    meta: clinicalMeta(profiles.medication),
    code: concept(medications[key].coding),
    status: 'active',
  }
}

export function medicationRequestResource(event: PrescriptionEvent, context: Context): MedicationRequest {
  return {
    resourceType: 'MedicationRequest',
    id: context.id,
    meta: clinicalMeta(profiles.medicationRequest, event.sensitive),
    status: event.status,
    intent: event.reported ? 'plan' : 'order',
    category: [concept(event.reported ? medicationCategories.community : medicationCategories.outpatient)],
    ...(event.reported === 'clinician'
      ? { reportedReference: practitioner(context.clinicianId) }
      : { reportedBoolean: event.reported === 'patient' }),
    ...medication(event),
    subject: subject(context),
    ...encounterOf(event, context),
    authoredOn: event.at,
    requester: practitioner(context.clinicianId),
    ...reasons(event.reason, context),
    dosageInstruction: [dosage(event.medication)],
    dispenseRequest: {
      validityPeriod: { start: event.at.slice(0, 10), ...(event.until ? { end: event.until } : {}) },
      numberOfRepeatsAllowed: event.refills,
      quantity: amount(event.quantity, medications[event.medication].dose[1]),
    },
  }
}

export function medicationDispenseResource(event: DispenseEvent, context: Context): MedicationDispense {
  return {
    resourceType: 'MedicationDispense',
    id: context.id,
    meta: clinicalMeta(profiles.medicationDispense, event.sensitive),
    status: 'completed',
    ...medication(event),
    subject: subject(context),
    performer: [{ actor: { reference: `Organization/${pharmacyId}` } }],
    authorizingPrescription: [context.reference(event.prescription)],
    type: concept(event.first ? dispenseTypes.firstFill : dispenseTypes.refill),
    quantity: amount(event.quantity, medications[event.medication].dose[1]),
    whenHandedOver: event.at,
    dosageInstruction: [dosage(event.medication)],
  }
}

function medication({ medication: key, listed }: PrescriptionEvent | DispenseEvent): {
  medicationCodeableConcept?: CodeableConcept
  medicationReference?: Reference
} {
  return listed
    ? { medicationReference: { reference: `Medication/${medicationId(key)}` } }
    : { medicationCodeableConcept: concept(medications[key].coding) }
}

function medicationId(key: MedicationKey): string {
  return `med-${key.replaceAll('.', '-')}`
}

function dosage(key: MedicationKey): Dosage {
  const { sig, dose, timesPerDay, every, asNeeded } = medications[key]
  const [period, periodUnit, most] = every ?? [1, 'd']
  return {
    text: sig,
    timing: {
      repeat: { frequency: timesPerDay ?? 1, period, ...(most ? { periodMax: most } : {}), periodUnit },
    },
    ...(asNeeded ? { asNeededBoolean: true } : {}),
    doseAndRate: [{ doseQuantity: amount(dose[0], dose[1]) }],
  }
}

const ucumUnits = ['mg', 'mL', '[iU]']

/** Tablets and puffs are counted in words; UCUM has no unit for them. */
function amount(value: number, unit: string): Quantity {
  return ucumUnits.includes(unit)
    ? { value, unit, system: namingSystems.ucum, code: unit }
    : { value, unit: value === 1 ? unit : `${unit}s` }
}
