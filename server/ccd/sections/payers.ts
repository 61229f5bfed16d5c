/** Coverage Activity (22.4.60) with a Policy Activity (22.4.61) for each coverage. */
import type * as fhir from 'fhir/r4.js'
import {
  type CdaCode,
  type CodeSystem,
  codeSystemOids,
  loincSystem,
} from '../../contract/fhir/ccda-values.ts'
import { findOrganization, idsOf } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { partId, resourceId } from '../identifiers.ts'
import { oneAddress, oneTelecom, personName } from '../people.ts'
import { actEvent, newTemplate, oneRow, refOf, related, type Section, status, template } from '../section.ts'
import { interval, shownSpan, time } from '../times.ts'
import { code, concept, displayText, textOf } from '../values.ts'
import { el, text, type Xml } from '../xml.ts'

type Coverage = fhir.Coverage & { id: string }
type Payer = (fhir.Organization & { id: string }) | null

const roles = 'http://terminology.hl7.org/CodeSystem/v3-RoleCode'
const roleClass = { oid: '2.16.840.1.113883.5.110', name: 'RoleClass' }

export const payers: Section = {
  columns: ['Payer', 'Kind', 'Plan', 'Member', 'Status', 'Period'],
  nothing: 'No coverage on record.',
  async *items(chart) {
    for await (const coverage of chart.read<fhir.Coverage>('Coverage')) {
      const ref = refOf('payers', coverage)
      const payer = await findOrganization(chart, coverage.payor?.[0])
      yield {
        rows: oneRow(ref, [
          nameOf(payer, coverage),
          displayText(coverage.type),
          planOf(coverage),
          memberOf(coverage) ?? '',
          coverage.status,
          shownSpan(coverage.period ?? {}),
        ]),
        entry: () =>
          actEvent(
            template('4.60', '2015-08-01'),
            partId(chart, coverage, 'coverage'),
            code('code', { code: '48768-6', display: 'Payment sources' }, loincSystem),
            textOf(ref),
            status('completed'),
            related('COMP', policy(chart, coverage, payer, ref)),
          ),
      }
    }
  },
}

function policy(chart: Chart, coverage: Coverage, payer: Payer, ref: string): Xml {
  return actEvent(
    template('4.61', '2015-08-01'),
    groupOf(chart, coverage),
    concept('code', coverage.type, { ref, more: [el('translation', { nullFlavor: 'UNK' })] }),
    textOf(ref),
    status('completed'),
    payerOf(chart, coverage, payer),
    covered(chart, coverage),
    related(
      'REFR',
      el(
        'act',
        { classCode: 'ACT', moodCode: 'DEF' },
        partId(chart, coverage, 'plan'),
        el('code', { nullFlavor: 'NA' }),
        el('text', {}, text(planOf(coverage) || displayText(coverage.type))),
      ),
    ),
  )
}

function payerOf(chart: Chart, coverage: Coverage, payer: Payer): Xml {
  return el(
    'performer',
    { typeCode: 'PRF' },
    template('4.87'),
    el(
      'assignedEntity',
      {},
      payer === null ? partId(chart, coverage, 'payer') : idsOf(chart, payer),
      code('code', { code: 'PAYOR', display: 'invoice payor' }, roleClass),
      oneAddress(payer?.address),
      oneTelecom(payer?.telecom),
      el('representedOrganization', {}, el('name', {}, text(nameOf(payer, coverage)))),
    ),
  )
}

/** The person whom the policy covers: always the patient. */
function covered(chart: Chart, coverage: Coverage): Xml {
  const { patient } = chart
  const member = memberOf(coverage)
  const relationship = coverage.relationship?.coding?.[0]?.code
  const its = relationships[relationship ?? '']
  return el(
    'participant',
    { typeCode: 'COV' },
    newTemplate('4.89', '2015-08-01'),
    interval('time', coverage.period ?? {}),
    el(
      'participantRole',
      { classCode: 'PAT' },
      member === undefined ? resourceId(chart, patient) : memberId(chart, member),
      its === undefined
        ? el('code', { nullFlavor: 'UNK' })
        : code('code', its, codeSystemOids[roles] as CodeSystem),
      oneAddress(patient.address),
      el('playingEntity', {}, personName(patient.name?.[0]), time('sdtc:birthTime', patient.birthDate)),
    ),
  )
}

/** http://terminology.hl7.org/CodeSystem/subscriber-relationship in the words of RoleCode. */
const relationships: Readonly<Record<string, CdaCode>> = {
  self: { code: 'SELF', display: 'self' },
  child: { code: 'DEPEN', display: 'dependent' },
  spouse: { code: 'SPS', display: 'spouse' },
  parent: { code: 'PRN', display: 'parent' },
}

function memberId(chart: Chart, member: string): Xml {
  return partId(chart, { resourceType: 'Coverage', id: 'member' }, member)
}

/** The group's number where there is one. */
function groupOf(chart: Chart, coverage: Coverage): Xml {
  const group = coverage.class?.find(({ type }) => type.coding?.[0]?.code === 'group')?.value
  return partId(chart, coverage, group === undefined ? 'policy' : `group-${group}`)
}

function memberOf({ identifier, subscriberId }: Coverage): string | undefined {
  return identifier?.find(({ value }) => value !== undefined)?.value ?? subscriberId
}

function planOf({ class: its = [] }: Coverage): string {
  return its.map(({ name, value }) => name ?? value).join('\n')
}

function nameOf(payer: Payer, { payor }: Coverage): string {
  return payer?.name ?? payor?.[0]?.display ?? 'Unknown payer'
}
