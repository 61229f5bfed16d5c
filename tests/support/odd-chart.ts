/** Charts that an import may bring: nothing but an id, whatever Unicode has, and what was entered in error. */

type Odd = { resourceType: string; id: string } & Record<string, unknown>

const subject = { reference: 'Patient/odd-1' }
const hostile = '<img src=x onerror=alert(1)> & "quotes" \u202e]]>'
const concept = (text: string, code?: string) => ({
  ...(code !== undefined && { coding: [{ system: 'https://nowhere.example/codes', code }] }),
  text,
})

export function oddChart(): Odd[] {
  return [...people(), ...clinical(), ...wrong()]
}

function people(): Odd[] {
  return [
    { resourceType: 'Patient', id: 'odd-0' },
    {
      resourceType: 'Patient',
      id: 'odd-1',
      name: [
        { use: 'official', family: 'Ejemplo\nnewline 🐦', given: ['', 'a\u0001b'], prefix: ['Dr.'] },
        { use: 'maiden', text: hostile },
      ],
      gender: 'other',
      birthDate: '1975-03',
      deceasedBoolean: true,
      identifier: [
        { system: 'urn:oid:1.2.3.4', value: 'X & Y' },
        { system: 'http://hl7.org/fhir/sid/us-ssn' },
      ],
      telecom: [
        { system: 'phone', value: 'no digits' },
        { system: 'email', value: 'sparrow 🐦@people.example' },
        { system: 'url', value: 'javascript:alert(1)' },
        { value: '(207) 555-0100' },
      ],
      address: [
        { line: ['1', '2', '3', '4', '5'], country: 'CA' },
        { use: 'old', period: { end: '2001' } },
      ],
      contact: [{ name: { text: 'Kin of Ejemplo' } }],
      communication: [{ language: concept('a language without a code') }],
      generalPractitioner: [{ reference: 'Practitioner/nobody' }],
      managingOrganization: { display: 'Elsewhere' },
    },
    { resourceType: 'Patient', id: 'odd-2', name: [{ text: 'Somebody Else' }] },
    {
      resourceType: 'RelatedPerson',
      id: 'rp-other',
      patient: { reference: 'Patient/odd-2' },
      name: [{ text: 'Somebody Else' }],
    },
  ]
}

function clinical(): Odd[] {
  return [
    { resourceType: 'AllergyIntolerance', id: 'al', patient: subject, code: concept(hostile, 'a b') },
    { resourceType: 'Condition', id: 'co', subject, code: concept('Of no category') },
    {
      resourceType: 'Condition',
      id: 'co-concern',
      subject,
      category: [{ coding: [{ code: 'health-concern' }] }],
      verificationStatus: { coding: [{ code: 'refuted' }] },
      abatementDateTime: '2020',
    },
    { resourceType: 'MedicationRequest', id: 'mr', subject, status: 'on-hold', intent: 'order' },
    {
      resourceType: 'MedicationRequest',
      id: 'mr-2',
      subject,
      status: 'unknown',
      intent: 'proposal',
      medicationReference: { reference: 'Medication/none', display: 'Something white' },
      dosageInstruction: [
        {
          timing: { repeat: { frequency: 3, period: 1, periodUnit: 'd' } },
          doseAndRate: [{ doseQuantity: { value: 0.5, unit: 'half a tablet' } }],
        },
      ],
    },
    { resourceType: 'MedicationDispense', id: 'md', subject, status: 'declined' },
    { resourceType: 'MedicationDispense', id: 'md-2', subject, status: 'preparation', whenPrepared: '2024' },
    ...observations(),
    {
      resourceType: 'DiagnosticReport',
      id: 'dr',
      subject,
      status: 'partial',
      code: concept('Panel'),
      result: [{ reference: 'Observation/ob-range' }],
    },
    { resourceType: 'Procedure', id: 'pc', subject, status: 'in-progress' },
    {
      resourceType: 'Immunization',
      id: 'im',
      patient: subject,
      status: 'not-done',
      occurrenceString: 'as a child',
      statusReason: concept('would not'),
    },
    { resourceType: 'Encounter', id: 'en', subject, status: 'planned', class: { code: 'AMB' } },
    {
      resourceType: 'CarePlan',
      id: 'cp',
      subject,
      status: 'active',
      intent: 'plan',
      text: { div: '<div><p>Walk &amp; rest</p></div>' },
    },
    {
      resourceType: 'ServiceRequest',
      id: 'sr',
      subject,
      status: 'draft',
      intent: 'order',
      category: [{ coding: [{ system: 'http://snomed.info/sct', code: '387713003' }] }],
    },
    {
      resourceType: 'ServiceRequest',
      id: 'sr-lab',
      subject,
      status: 'active',
      intent: 'order',
      category: [{ coding: [{ system: 'http://snomed.info/sct', code: '108252007' }] }],
      occurrencePeriod: { start: '2027-01-01' },
    },
    { resourceType: 'Goal', id: 'go', subject, lifecycleStatus: 'proposed', description: concept('To fly') },
    {
      resourceType: 'CareTeam',
      id: 'ct',
      subject,
      participant: [{ member: { reference: 'RelatedPerson/rp-other' } }, { member: subject }],
    },
    { resourceType: 'CareTeam', id: 'ct-empty', subject },
    { resourceType: 'Device', id: 'de', patient: subject },
    { resourceType: 'Coverage', id: 'cv', beneficiary: subject, status: 'active' },
    {
      resourceType: 'DocumentReference',
      id: 'do',
      subject,
      status: 'current',
      meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'R' }] },
      content: [
        {
          attachment: {
            contentType: 'text/plain',
            data: Buffer.from('line one\r\nline two').toString('base64'),
          },
        },
      ],
    },
    {
      resourceType: 'DocumentReference',
      id: 'do-2',
      subject,
      status: 'current',
      content: [{ attachment: {} }],
    },
  ]
}

function observations(): Odd[] {
  const observation = (id: string, more: object): Odd => ({
    resourceType: 'Observation',
    id: `ob-${id}`,
    status: 'final',
    code: concept(`Observation ${id}`),
    subject,
    ...more,
  })
  const category = (code: string) => [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code }] },
  ]
  const vital = { category: category('vital-signs') }
  return [
    observation('vital-text', { ...vital, valueString: 'fine' }),
    observation('vital-absent', {
      ...vital,
      effectiveDateTime: '2020-01-01T10:00:00.123Z',
      dataAbsentReason: concept('not asked'),
    }),
    observation('vital-panel', {
      ...vital,
      effectiveDateTime: '2020-01-01T10:00:00.123Z',
      component: [
        { code: concept('Part'), valueQuantity: { value: 1e-7, comparator: '<', unit: 'wing beats' } },
      ],
    }),
    observation('social', {
      category: category('social-history'),
      effectiveInstant: '2020-01-01T10:00:00+05:30',
      valueBoolean: false,
    }),
    observation('smoking', {
      category: category('social-history'),
      code: { coding: [{ system: 'http://loinc.org', code: '72166-2' }] },
    }),
    observation('survey', {
      category: category('survey'),
      valueInteger: 3,
      component: [
        { code: { coding: [{ system: 'http://loinc.org', code: '44250-9' }] }, valueString: 'never' },
        { code: concept('Answer'), valueTime: '10:00' },
      ],
    }),
    observation('range', {
      valueRange: { low: { value: 1 }, high: { value: 2 } },
      referenceRange: [{ text: 'few' }, { high: { value: 3, unit: 'g' } }],
    }),
    observation('below', {
      valueQuantity: { value: 5, comparator: '<=', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
    }),
    observation('ratio', { valueRatio: { numerator: { value: 1 }, denominator: { value: 64 } } }),
    observation('parts', { component: [{ code: concept('Part'), valueCodeableConcept: concept('yes') }] }),
    observation('when', { effectivePeriod: { end: '2021-05' }, valueDateTime: '2020' }),
  ]
}

function wrong(): Odd[] {
  const never = concept('Never true')
  const mistake = { coding: [{ code: 'entered-in-error' }] }
  const status = 'entered-in-error'
  return [
    {
      resourceType: 'AllergyIntolerance',
      id: 'al-wrong',
      patient: subject,
      code: never,
      verificationStatus: mistake,
    },
    { resourceType: 'Condition', id: 'co-wrong', subject, code: never, verificationStatus: mistake },
    { resourceType: 'Observation', id: 'ob-wrong', subject, code: never, status },
    { resourceType: 'Goal', id: 'go-wrong', subject, description: never, lifecycleStatus: status },
    { resourceType: 'Encounter', id: 'en-wrong', subject, type: [never], status, class: { code: 'AMB' } },
    {
      resourceType: 'DocumentReference',
      id: 'do-wrong',
      subject,
      description: 'Never true',
      status: 'current',
      docStatus: status,
      content: [],
    },
  ]
}
