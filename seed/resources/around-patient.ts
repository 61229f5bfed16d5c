/** Who pays, who stands by and what is implanted: Coverage, RelatedPerson and Device by their US Core 6.1.0 profiles. */
import type { Coverage, Device, RelatedPerson } from 'fhir/r4.js'
import { coverageCodes, namingSystems, profiles } from '../codes/codes.ts'
import type { CoverageEvent, DeviceEvent, RelatedPersonEvent } from '../timeline/events.ts'
import { type Context, clinicalMeta, subject } from './clinical-elements.ts'
import { address, concept, contactPoint, humanName } from './elements.ts'

export const payerIds = { commercial: 'org-payer-commercial', public: 'org-payer-public' } as const

export function coverageResource(event: CoverageEvent, context: Context): Coverage {
  const commercial = event.payer === 'commercial'
  return {
    resourceType: 'Coverage',
    id: context.id,
    meta: clinicalMeta(profiles.coverage),
    identifier: [{ type: concept(coverageCodes.member), system: namingSystems.member, value: event.member }],
    status: event.until ? 'cancelled' : 'active',
    type: concept(commercial ? coverageCodes.employer : coverageCodes.public),
    subscriberId: event.member,
    beneficiary: subject(context),
    relationship: concept(event.dependent ? coverageCodes.child : coverageCodes.self),
    period: { start: event.at.slice(0, 10), ...(event.until ? { end: event.until } : {}) },
    payor: [{ reference: `Organization/${payerIds[event.payer]}` }],
    class: [
      {
        type: concept(coverageCodes.group),
        value: commercial ? 'GRP-0142' : 'GRP-0001',
        name: commercial ? 'Example Works employees' : 'State programme',
      },
      {
        type: concept(coverageCodes.plan),
        value: commercial ? 'PLAN-SILVER' : 'PLAN-BASIC',
        name: commercial ? 'Placeholder Silver' : 'Sample Basic',
      },
    ],
  }
}

export function relatedPersonResource(event: RelatedPersonEvent, context: Context): RelatedPerson {
  return {
    resourceType: 'RelatedPerson',
    id: context.id,
    meta: clinicalMeta(profiles.relatedPerson),
    active: true,
    patient: subject(context),
    relationship: [concept(event.relationship)],
    name: [humanName(event.name)],
    telecom: event.telecom.map(contactPoint),
    ...(event.addresses.length > 0 ? { address: event.addresses.map(address) } : {}),
  }
}

export function deviceResource(event: DeviceEvent, context: Context): Device {
  const short = (date: string) => date.slice(2).replaceAll('-', '')
  return {
    resourceType: 'Device',
    id: context.id,
    meta: clinicalMeta(profiles.device),
    udiCarrier: [
      {
        // Of the range that GS1 keeps for examples.
        deviceIdentifier: '09504000059118',
        carrierHRF: `(01)09504000059118(11)${short(event.made)}(17)${short(event.expires)}(10)${event.lot}(21)${event.serial}`,
      },
    ],
    status: 'active',
    distinctIdentifier: `SYN-${event.serial}`,
    manufactureDate: event.made,
    expirationDate: event.expires,
    lotNumber: event.lot,
    serialNumber: event.serial,
    deviceName: [{ name: event.name, type: 'user-friendly-name' }],
    type: concept(event.type),
    patient: subject(context),
  }
}
