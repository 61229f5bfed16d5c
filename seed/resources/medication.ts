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
import { type MedicationKey, medications, terms } from '../codes/codes.ts'
import type { EventOf } from '../timeline/events.ts'
import {
  type Context,
  clinicalMeta,
  concept,
  optional,
  patient,
  practitioner,
  quantity,
  reasons,
} from './elements.ts'

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
    meta: clinicalMeta(terms.profiles.medication),
    code: concept(medications[key].coding),
    status: 'active',
  }
}

export function prescriptionBody(
  event: EventOf<'prescription'>,
  context: Context,
): Omit<MedicationRequest, 'resourceType'> {
  const { outpatient, community } = terms.medicationCategories
  const requester = practitioner(context.clinicianId)
  return {
    status: event.status,
    intent: event.reported ? 'plan' : 'order',
    category: [concept(event.reported ? community : outpatient)],
    ...(event.reported === 'clinician'
      ? { reportedReference: requester }
      : { reportedBoolean: event.reported === 'patient' }),
    ...medication(event),
    subject: patient(context),
    encounter: optional(event.visit, context),
    authoredOn: event.at,
    requester,
    ...reasons(event.reason, context),
    dosageInstruction: [dosage(event.medication)],
    dispenseRequest: {
      validityPeriod: { start: event.at.slice(0, 10), end: event.until },
      numberOfRepeatsAllowed: event.refills,
      quantity: amount(event.quantity, medications[event.medication].dose[1]),
    },
  }
}

export function dispenseBody(
  event: EventOf<'dispense'>,
  context: Context,
): Omit<MedicationDispense, 'resourceType'> {
  return {
    status: 'completed',
    ...medication(event),
    subject: patient(context),
    performer: [{ actor: { reference: `Organization/${pharmacyId}` } }],
    authorizingPrescription: [context.reference(event.prescription)],
    type: concept(event.first ? terms.dispenseTypes.firstFill : terms.dispenseTypes.refill),
    quantity: amount(event.quantity, medications[event.medication].dose[1]),
    whenHandedOver: event.at,
    dosageInstruction: [dosage(event.medication)],
  }
}

function medication({ medication: key, listed }: { medication: MedicationKey; listed?: boolean }): {
  medicationCodeableConcept?: CodeableConcept
  medicationReference?: Reference
} {
  return listed
    ? { medicationReference: { reference: `Medication/${medicationId(key)}` } }
    : { medicationCodeableConcept: concept(medications[key].coding) }
}

const medicationId = (key: MedicationKey): string => `med-${key.replaceAll('.', '-')}`

function dosage(key: MedicationKey): Dosage {
  const { sig, dose, timesPerDay: frequency = 1, every, asNeeded } = medications[key]
  const [period, periodUnit, periodMax] = every ?? [1, 'd']
  return {
    text: sig,
    timing: { repeat: { frequency, period, periodMax, periodUnit } },
    asNeededBoolean: asNeeded,
    doseAndRate: [{ doseQuantity: amount(dose[0], dose[1]) }],
  }
}

const ucumUnits = ['mg', 'mL', '[iU]']

/** Tablets and puffs are counted in words; UCUM has no unit for them. */
function amount(value: number, unit: string): Quantity {
  return ucumUnits.includes(unit)
    ? quantity({ value, unit })
    : { value, unit: value === 1 ? unit : `${unit}s` }
}
