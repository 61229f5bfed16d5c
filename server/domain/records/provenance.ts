/** Who wrote a record and which key sent it, https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-provenance.html */
import type * as fhir from 'fhir/r4.js'
import { identifierSystems, writtenCodes } from '../../contract/fhir/codes.ts'

type Authorship = Readonly<{
  id: string
  /** Relative reference. */
  target: string
  recorded: string
  /** A practitioner of the practice; the practice itself when nobody is named. */
  authorId: string | undefined
  /** The public part of the key. */
  keyPrefix: string
  practice: fhir.Reference
}>

export function provenanceOf(authorship: Authorship): fhir.Provenance & { id: string } {
  const { id, target, recorded, authorId, keyPrefix, practice } = authorship
  return {
    resourceType: 'Provenance',
    id,
    target: [{ reference: target }],
    recorded,
    agent: [
      {
        type: { coding: [{ ...writtenCodes.author }] },
        ...(authorId === undefined
          ? { who: practice }
          : { who: { reference: `Practitioner/${authorId}` }, onBehalfOf: practice }),
      },
      {
        type: { coding: [{ ...writtenCodes.transmitter }] },
        who: {
          type: 'Device',
          identifier: { system: identifierSystems.apiKey, value: keyPrefix },
          display: `API key ${keyPrefix}`,
        },
        onBehalfOf: practice,
      },
    ],
  }
}
