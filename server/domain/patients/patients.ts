/** Creates patients through the APIs, https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-patient.html */
import { randomBytes, randomUUID } from 'node:crypto'
import type * as fhir from 'fhir/r4.js'
import { identifierSystems, identifierTypes } from '../../contract/fhir/codes.ts'
import { languageName, type NewPatient } from '../../contract/rest/bodies.ts'
import type { InputOf, OutputOf } from '../../contract/rest/operations.ts'
import type { PatientRecord } from '../../contract/rest/records.ts'
import { tidyName } from '../../contract/text/public-name.ts'
import { asRecords, type PatientFieldsSeen, planPatientList } from '../../search/lists.ts'
import { listedText } from '../../search/patient-record.ts'
import type { NamePlan } from '../../search/plan.ts'
import type { Core } from '../core.ts'
import { createRecord, practiceOf, refused } from '../records/create-record.ts'
import type { Outcome, Writer } from '../records/writer.ts'

type Identified = fhir.Patient & { id: string }

/** @throws Problem `validation` (birth date in the future, number taken …), `forbidden`, `unavailable` */
export async function create(core: Core, writer: Writer, patient: NewPatient): Promise<Outcome> {
  checkBirthDate(patient.birthDate, writer.now)
  const id = randomUUID()
  const mrn = patient.mrn ?? drawNumber(writer.principal.environment)
  const practice = await practiceOf(core, writer)
  return createRecord(
    core,
    writer,
    {
      resource: toResource(patient, { id, mrn, practice }),
      patientId: id,
      references: [],
      unique: { system: identifierSystems.medicalRecordNumber, value: mrn },
      taken: 'is already used by another patient of this practice',
    },
    practice,
  )
}

/** A day begins somewhere on earth up to 14 hours before it begins in UTC. */
function checkBirthDate(birthDate: string, now: Date): void {
  const latest = new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, birthDate.length)
  if (birthDate > latest) throw refused('birthDate', 'must not be in the future')
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Eight letters of Crockford's alphabet, 40 bits. The prefix marks numbers of a sandbox as synthetic. */
function drawNumber(environment: 'sandbox' | 'production'): string {
  const drawn = [...randomBytes(8)].map((byte) => letters[byte % letters.length]).join('')
  return `${environment === 'sandbox' ? 'SYN' : 'MRN'}-${drawn}`
}

function toResource(
  patient: NewPatient,
  { id, mrn, practice }: { id: string; mrn: string; practice: fhir.Reference },
): Identified {
  const { telecom, address, language } = patient
  const name = { family: tidyName(patient.name.family), given: patient.name.given.map(tidyName) }
  return {
    resourceType: 'Patient',
    id,
    identifier: [
      {
        use: 'usual',
        type: { coding: [{ ...identifierTypes.medicalRecordNumber }] },
        system: identifierSystems.medicalRecordNumber,
        value: mrn,
      },
    ],
    active: patient.active,
    name: [
      {
        use: 'official',
        text: [...name.given, name.family].join(' '),
        family: name.family,
        ...(name.given.length > 0 && { given: name.given }),
      },
    ],
    ...(telecom.length > 0 && {
      telecom: telecom.map((point, index) => ({ ...point, rank: index + 1 })),
    }),
    gender: patient.sex,
    birthDate: patient.birthDate,
    ...(address.length > 0 && { address: address.flatMap(toAddress) }),
    ...(language !== undefined && {
      communication: [
        {
          language: {
            coding: [
              {
                system: identifierSystems.language,
                code: language,
                display: languageName(language) ?? language,
              },
            ],
          },
          preferred: true,
        },
      ],
    }),
    managingOrganization: practice,
  }
}

/** FHIR doesn't allow empty lists and empty elements. */
function toAddress({ line, ...parts }: NewPatient['address'][number]): fhir.Address[] {
  const address = { ...parts, ...(line.length > 0 && { line }) }
  return Object.keys(address).length > 0 ? [address] : []
}

// The list of patients, for the REST operation and for pages.

/** `next` is null at the end of the list. */
type Search = (
  plan: NamePlan,
) => Promise<{ matches: readonly { id: string; content: Buffer }[]; next: unknown }>
type ListedPage = OutputOf<'listPatients'>['page']

/** @param search reads the practice whose patients are listed */
export async function listPatients(
  search: Search,
  query: InputOf<'listPatients'>['query'],
): Promise<{ data: PatientRecord[]; page: ListedPage }> {
  const { matches, page } = await findPatients(search, query)
  return { data: matches.map(({ content }) => JSON.parse(listedText(content).toString())), page }
}

/** Like `listPatients`, but with the stored text of each record: `listedText` makes its JSON. */
export async function findPatients(
  search: Search,
  query: InputOf<'listPatients'>['query'],
  seen?: PatientFieldsSeen,
) {
  const { matches, next } = await search(asRecords(planPatientList(query, seen)))
  const { limit, offset } = query
  return { matches, page: { limit, offset, hasMore: next !== null } }
}
