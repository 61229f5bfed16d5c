/** The header: whose document it is, who made it, who keeps it, and the care it tells of. US Realm Header, C-CDA R2.1. */
import type * as fhir from 'fhir/r4.js'
import { ccdCode } from '../contract/fhir/ccda-sections.ts'
import {
  administrativeGenders,
  type CdaCode,
  confidentialityCodes,
  confidentialityLevels,
  genderSystem,
  loincSystem,
  nullFlavorSystem,
  raceSystem,
} from '../contract/fhir/ccda-values.ts'
import { identifierSystems, practiceOrganizationId } from '../contract/fhir/codes.ts'
import { mayRead } from '../contract/keys/key-access.ts'
import { assignedEntity, findOrganization, findPractitioner, organization } from './authors.ts'
import type { Chart } from './chart.ts'
import { documentId, identifier, resourceId } from './identifiers.ts'
import { addresses, oneAddress, personName, personNames, shownName, telecoms } from './people.ts'
import { template } from './section.ts'
import { instant, time, timestamp } from './times.ts'
import { code, codeIn, concept } from './values.ts'
import { el, join, text, type Xml } from './xml.ts'

export const documentTitle = 'Continuity of Care Document'

export async function writeHeader(chart: Chart): Promise<Xml> {
  const { patient, changedAt, firstAt } = chart
  const practice = await findOrganization(chart, {
    reference: patient.managingOrganization?.reference ?? `Organization/${practiceOrganizationId}`,
  })
  const practitioner = await findPractitioner(chart, patient.generalPractitioner?.[0])
  return join([
    el('realmCode', { code: 'US' }),
    el('typeId', { root: '2.16.840.1.113883.1.3', extension: 'POCD_HD000040' }),
    template('1.1', '2015-08-01'),
    template('1.2', '2015-08-01'),
    el('id', { root: documentId(chart) }),
    code('code', ccdCode, loincSystem),
    el('title', {}, text(`${documentTitle}: ${titleName(chart)}`)),
    el('effectiveTime', { value: instant(changedAt) }),
    code(
      'confidentialityCode',
      confidentialityLevels[chart.confidentiality] as CdaCode,
      confidentialityCodes,
    ),
    el('languageCode', { code: 'en-US' }),
    el('recordTarget', {}, patientRole(chart, organization(chart, 'providerOrganization', practice))),
    el(
      'author',
      {},
      el('time', { value: instant(changedAt) }),
      el(
        'assignedAuthor',
        {},
        resourceId(chart, { resourceType: 'Device', id: 'sandpiper' }),
        oneAddress(practice?.address),
        telecoms(practice?.telecom),
        el(
          'assignedAuthoringDevice',
          {},
          el('manufacturerModelName', {}, text('Sandpiper')),
          el('softwareName', {}, text('Sandpiper')),
        ),
        organization(chart, 'representedOrganization', practice),
      ),
    ),
    el(
      'custodian',
      {},
      el('assignedCustodian', {}, organization(chart, 'representedCustodianOrganization', practice)),
    ),
    (patient.contact ?? []).map((contact) => participant(contact)),
    el(
      'documentationOf',
      {},
      el(
        'serviceEvent',
        { classCode: 'PCPR' },
        el(
          'effectiveTime',
          {},
          el('low', { value: instant(firstAt) }),
          el('high', { value: instant(changedAt) }),
        ),
        practitioner &&
          el(
            'performer',
            { typeCode: 'PRF' },
            code(
              'functionCode',
              { code: 'PCP', display: 'primary care physician' },
              { oid: '2.16.840.1.113883.5.88', name: 'ParticipationFunction' },
            ),
            assignedEntity(chart, practitioner),
          ),
      ),
    ),
  ])
}

function titleName({ patient, access = null }: Chart): string {
  if (!mayRead(access, 'demographics')) return 'name left out'
  return shownName(patient.name) || 'a patient without a name'
}

/** What the header lacks of a patient whose demographics are left out is not unknown: it is not given. */
function masked({ access = null }: Chart, xml: Xml): Xml {
  return mayRead(access, 'demographics')
    ? xml
    : (xml.replaceAll('nullFlavor="UNK"', 'nullFlavor="MSK"') as Xml)
}

function patientRole(chart: Chart, provider: Xml): Xml {
  const { patient } = chart
  const ids = (patient.identifier ?? []).flatMap((each) => identifier(chart, each) ?? [])
  return el(
    'patientRole',
    {},
    ids.length > 0 ? ids : resourceId(chart, patient),
    masked(chart, join([addresses(patient.address), telecoms(patient.telecom), person(patient)])),
    provider,
  )
}

function person(patient: fhir.Patient): Xml {
  const gender = administrativeGenders[patient.gender ?? '']
  const [race, ...races] = categories(patient, 'us-core-race')
  const [ethnicity, ...ethnicities] = categories(patient, 'us-core-ethnicity')
  return el(
    'patient',
    {},
    personNames(patient.name),
    gender === undefined
      ? el('administrativeGenderCode', { nullFlavor: 'UNK' })
      : code('administrativeGenderCode', gender, genderSystem),
    time('birthTime', patient.birthDate),
    deceased(patient),
    patient.maritalStatus && concept('maritalStatusCode', patient.maritalStatus),
    category('raceCode', race),
    races.map((each) => category('sdtc:raceCode', each)),
    category('ethnicGroupCode', ethnicity),
    ethnicities.map((each) => category('sdtc:ethnicGroupCode', each)),
    (patient.communication ?? []).flatMap(
      ({ language, preferred }) => languageCommunication(language, preferred) ?? [],
    ),
  )
}

function deceased({ deceasedBoolean, deceasedDateTime }: fhir.Patient): Xml | null {
  if (deceasedDateTime === undefined && deceasedBoolean !== true) return null
  return join([el('sdtc:deceasedInd', { value: true }), time('sdtc:deceasedTime', deceasedDateTime)])
}

const extensionRoot = 'http://hl7.org/fhir/us/core/StructureDefinition/'

/** OMB categories first, then what is more detailed; null flavours by their code. */
function categories(patient: fhir.Patient, name: string): fhir.Coding[] {
  const parts = patient.extension?.find(({ url }) => url === extensionRoot + name)?.extension ?? []
  return ['ombCategory', 'detailed'].flatMap((kind) =>
    parts.flatMap(({ url, valueCoding }) => (url === kind && valueCoding?.code ? [valueCoding] : [])),
  )
}

function category(name: string, coding: fhir.Coding | undefined): Xml {
  if (coding?.system === nullFlavorSystem) return el(name, { nullFlavor: coding.code })
  if (coding?.code === undefined) return el(name, { nullFlavor: 'UNK' })
  const its: CdaCode = { code: coding.code, display: coding.display ?? coding.code }
  return code(name, its, raceSystem)
}

function languageCommunication(language: fhir.CodeableConcept, preferred: boolean | undefined): Xml | null {
  const tag = codeIn(language, identifierSystems.language)
  if (tag === undefined || !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag)) return null
  return el(
    'languageCommunication',
    {},
    el('languageCode', { code: tag }),
    el('preferenceInd', { value: preferred === true }),
  )
}

/** Next of kin and the like. */
function participant({ relationship, name, telecom, address, period }: fhir.PatientContact): Xml {
  const [low, high] = [timestamp(period?.start), timestamp(period?.end)]
  return el(
    'participant',
    { typeCode: 'IND' },
    (low !== null || high !== null) &&
      el('time', {}, low !== null && el('low', { value: low }), high !== null && el('high', { value: high })),
    el(
      'associatedEntity',
      { classCode: 'NOK' },
      relationship?.[0] && concept('code', relationship[0]),
      address && addresses([address]),
      telecoms(telecom),
      el('associatedPerson', {}, personName(name)),
    ),
  )
}
