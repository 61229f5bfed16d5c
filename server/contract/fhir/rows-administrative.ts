/** Registry rows of people, places and other records outside the charts, https://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html */
import { codeSystems, identifierSystems } from './codes.ts'
import {
  addressParts,
  comparators,
  everywhere,
  humanNameParts,
  profile,
  type RowsOf,
  refers,
} from './type-row.ts'

export const administrativeRows: RowsOf<
  | 'Endpoint'
  | 'Group'
  | 'Location'
  | 'Medication'
  | 'Organization'
  | 'Patient'
  | 'Practitioner'
  | 'PractitionerRole'
> = {
  Endpoint: {
    profiles: [],
    compartment: null,
    parameters: [
      ...everywhere(),
      { name: 'status', kind: 'token', paths: ['status'], system: codeSystems.endpointStatus },
      { name: 'organization', kind: 'reference', paths: ['managingOrganization'], targets: ['Organization'] },
    ],
    holdsBase: true,
  },
  Group: {
    profiles: [],
    compartment: null,
    audience: 'backend',
    // Members are not indexed: a practice's group is as long as its list of patients.
    parameters: [...everywhere(), refers('managingEntity')],
    members: { list: 'member', reference: 'entity' },
    computed: 'population',
  },
  Location: {
    profiles: [profile('us-core-location')],
    compartment: null,
    parameters: [
      ...everywhere(),
      { name: 'name', kind: 'string', paths: ['name', 'alias'], expectation: 'SHALL' },
      { name: 'address', kind: 'string', paths: addressParts, expectation: 'SHALL' },
      { name: 'address-city', kind: 'string', paths: ['address.city'], expectation: 'SHOULD' },
      { name: 'address-state', kind: 'string', paths: ['address.state'], expectation: 'SHOULD' },
      { name: 'address-postalcode', kind: 'string', paths: ['address.postalCode'], expectation: 'SHOULD' },
      { name: 'organization', kind: 'reference', paths: ['managingOrganization'], offered: false },
    ],
    roster: { names: 'text', path: 'name' },
  },
  Medication: {
    profiles: [profile('us-core-medication')],
    compartment: null,
    parameters: [...everywhere(), { name: 'code', kind: 'token', paths: ['code'] }, refers('manufacturer')],
  },
  Organization: {
    profiles: [profile('us-core-organization')],
    compartment: null,
    parameters: [
      ...everywhere(),
      { name: 'name', kind: 'string', paths: ['name', 'alias'], expectation: 'SHALL' },
      { name: 'address', kind: 'string', paths: addressParts, expectation: 'SHALL' },
      { name: 'identifier', kind: 'identifier', paths: ['identifier'], offered: false },
      refers('partOf', 'endpoint'),
    ],
    roster: { names: 'text', path: 'name' },
  },
  Patient: {
    profiles: [profile('us-core-patient')],
    compartment: 'self',
    parameters: [
      ...everywhere('SHALL'),
      { name: 'identifier', kind: 'identifier', paths: ['identifier'], expectation: 'SHALL' },
      { name: 'name', kind: 'string', paths: humanNameParts, expectation: 'SHALL' },
      { name: 'family', kind: 'string', paths: ['name.family'] },
      { name: 'given', kind: 'string', paths: ['name.given'] },
      { name: 'gender', kind: 'token', paths: ['gender'], system: codeSystems.administrativeGender },
      { name: 'birthdate', kind: 'date', paths: ['birthDate'], comparators },
      { name: 'death-date', kind: 'date', paths: ['deceasedDateTime'], comparators },
      { name: 'organization', kind: 'reference', paths: ['managingOrganization'], offered: false },
      { name: 'general-practitioner', kind: 'reference', paths: ['generalPractitioner'], offered: false },
      { name: 'link', kind: 'reference', paths: ['link.other'], offered: false },
    ],
    combinations: {
      shall: ['birthdate+name', 'gender+name'],
      should: ['birthdate+family', 'family+gender', 'death-date+family'],
    },
    roster: {
      names: 'person',
      path: 'name',
      bornPath: 'birthDate',
      identifierSystem: identifierSystems.medicalRecordNumber,
    },
  },
  Practitioner: {
    profiles: [profile('us-core-practitioner')],
    compartment: null,
    parameters: [
      ...everywhere('SHOULD'),
      { name: 'name', kind: 'string', paths: humanNameParts, expectation: 'SHALL' },
      { name: 'identifier', kind: 'identifier', paths: ['identifier'], expectation: 'SHALL' },
      refers('qualification.issuer'),
    ],
    roster: { names: 'person', path: 'name', identifierSystem: identifierSystems.nationalProvider },
  },
  PractitionerRole: {
    profiles: [profile('us-core-practitionerrole')],
    compartment: null,
    parameters: [
      ...everywhere(),
      { name: 'specialty', kind: 'token', paths: ['specialty'], expectation: 'SHALL' },
      {
        name: 'practitioner',
        kind: 'reference',
        paths: ['practitioner'],
        targets: ['Practitioner'],
        expectation: 'SHALL',
      },
      { name: 'endpoint', kind: 'reference', paths: ['endpoint'], targets: ['Endpoint'], offered: false },
      refers('organization', 'location'),
    ],
    includes: ['PractitionerRole:endpoint', 'PractitionerRole:practitioner'],
  },
}
