/** Who did it: people and practices as the participations of CDA. */
import type * as fhir from 'fhir/r4.js'
import type { Chart } from './chart.ts'
import { identifier, resourceId } from './identifiers.ts'
import { addresses, oneAddress, oneTelecom, personName, telecoms } from './people.ts'
import { template } from './section.ts'
import { time } from './times.ts'
import { el, text, type Xml } from './xml.ts'

type Practitioner = fhir.Practitioner & { id: string }
type Organization = fhir.Organization & { id: string }

export const findPractitioner = (chart: Chart, reference: fhir.Reference | undefined) =>
  chart.find<fhir.Practitioner>(reference, 'Practitioner')

export const findOrganization = (chart: Chart, reference: fhir.Reference | undefined) =>
  chart.find<fhir.Organization>(reference, 'Organization')

/** Their number in the national register, else what we call them. */
export function idsOf(
  chart: Chart,
  resource: (Practitioner | Organization) & { identifier?: fhir.Identifier[] },
): Xml[] {
  const known = (resource.identifier ?? []).flatMap((each) => identifier(chart, each) ?? [])
  return known.length > 0 ? known : [resourceId(chart, resource)]
}

/** Who wrote an entry, and when. https://terminology.hl7.org/ template 22.4.119 */
export function author(chart: Chart, who: Practitioner | null, when: string | undefined): Xml | null {
  if (who === null) return null
  return el('author', {}, template('4.119'), time('time', when), assignedAuthor(chart, who))
}

/** The same few people write the most of a chart. */
const assigned = new WeakMap<Practitioner, Xml>()

function assignedAuthor(chart: Chart, who: Practitioner): Xml {
  const known = assigned.get(who)
  if (known !== undefined) return known
  const its = el('assignedAuthor', {}, idsOf(chart, who), assignedPerson(who))
  assigned.set(who, its)
  return its
}

/** For entries that must say that there is an author, where no one is known. */
export function unknownAuthor(when: string | undefined): Xml {
  return el(
    'author',
    {},
    template('4.119'),
    time('time', when),
    el('assignedAuthor', {}, el('id', { nullFlavor: 'UNK' }), oneAddress([]), telecoms([])),
  )
}

/** Who did what an entry tells of. */
export function performer(
  chart: Chart,
  who: Practitioner | null,
  more: { typeCode?: string } = {},
): Xml | null {
  return who === null ? null : el('performer', more, assignedEntity(chart, who))
}

export const assignedEntity = (chart: Chart, who: Practitioner): Xml =>
  el('assignedEntity', {}, idsOf(chart, who), assignedPerson(who))

/** How to reach a person, and the name. */
export function assignedPerson({
  address,
  telecom,
  name,
}: Pick<fhir.Patient, 'address' | 'telecom' | 'name'>) {
  const person = el('assignedPerson', {}, personName(name?.[0]))
  return [addresses(address), telecoms(telecom), person]
}

/** An organization under whatever name its place has. */
export function organization(chart: Chart, name: string, its: Organization | null): Xml {
  return el(
    name,
    {},
    its ? idsOf(chart, its) : resourceId(chart, { resourceType: 'Organization', id: chart.practice.slug }),
    el('name', {}, text(its?.name ?? chart.practice.name)),
    oneTelecom(its?.telecom),
    oneAddress(its?.address),
  )
}
