/** Who wrote what, https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-provenance.html */
import type { Provenance } from 'fhir/r4.js'
import { profiles, provenanceRoles } from '../codes/codes.ts'
import { clinicalMeta, practitioner } from './clinical-elements.ts'
import { concept } from './elements.ts'

interface Authorship {
  readonly id: string
  /** Relative references. */
  readonly targets: readonly string[]
  readonly recorded: string
  readonly clinicianId: string
  readonly organizationId: string
}

export function provenanceResource({
  id,
  targets,
  recorded,
  clinicianId,
  organizationId,
}: Authorship): Provenance {
  const organization = { reference: `Organization/${organizationId}` }
  return {
    resourceType: 'Provenance',
    id,
    meta: clinicalMeta(profiles.provenance),
    target: targets.map((reference) => ({ reference })),
    recorded,
    agent: [
      { type: concept(provenanceRoles.author), who: practitioner(clinicianId), onBehalfOf: organization },
      { type: concept(provenanceRoles.transmitter), who: organization },
    ],
  }
}
