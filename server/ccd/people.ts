/** Names, addresses and ways to reach people and practices, as the US realm of CDA wants them: unknown parts said. */
import type * as fhir from 'fhir/r4.js'
import { addressUses, nameUses, telecomUses } from '../contract/fhir/ccda-values.ts'
import { time, timestamp } from './times.ts'
import { type Child, el, join, text, type Xml } from './xml.ts'

const unknown = (name: string): Xml => el(name, { nullFlavor: 'UNK' })

/** A person's name: one given and one family name at least, unknown where they are. */
export function personName(names: fhir.HumanName | undefined): Xml {
  const { use, family, given: first = [], prefix = [], suffix = [], period } = names ?? {}
  const firstNames = first.filter(isWritten)
  // A person whose name is one text has it as the family name: a document cannot tell its parts.
  const last = [family, firstNames.length === 0 ? names?.text : undefined].find(isWritten)
  return el(
    'name',
    { use: nameUses[use ?? ''] },
    prefix.filter(isWritten).map((each) => el('prefix', {}, text(each))),
    firstNames.length === 0 ? unknown('given') : firstNames.map((each) => el('given', {}, text(each))),
    last === undefined
      ? unknown('family')
      : el('family', { qualifier: use === 'maiden' ? 'BR' : undefined }, text(last)),
    suffix.filter(isWritten).map((each) => el('suffix', {}, text(each))),
    period && validTime('validTime', period),
  )
}

/** The names in use first; at least one. */
export function personNames(names: readonly fhir.HumanName[] | undefined): Xml {
  const all = [...(names ?? [])].sort((one, other) => rank(one) - rank(other))
  return join((all.length === 0 ? [undefined] : all).map(personName))
}

/** As people read it. */
export function shownName(names: readonly fhir.HumanName[] | undefined): string {
  const [first] = [...(names ?? [])].sort((one, other) => rank(one) - rank(other))
  if (first === undefined) return ''
  const { prefix = [], given: list = [], family, suffix = [] } = first
  return first.text ?? [...prefix, ...list, family, ...suffix].filter(isWritten).join(' ')
}

const ranks = ['official', undefined, 'usual', 'nickname', 'temp', 'anonymous', 'maiden', 'old']

const rank = ({ use }: fhir.HumanName): number => ranks.indexOf(use)

/** At least one. */
export function addresses(list: readonly fhir.Address[] | undefined, name = 'addr'): Xml {
  const all = list ?? []
  return join((all.length === 0 ? [{}] : all).map((each) => address(each, name)))
}

/** One address: the first that is not old. */
export const oneAddress = (all: readonly fhir.Address[] | undefined): Xml =>
  address(all?.find(({ use }) => use !== 'old') ?? {}, 'addr')

/** A street, a city, a state and a postal code, each of them unknown where it is. */
function address(postal: fhir.Address, name: string): Xml {
  const { use, line = [], city, state, postalCode, country, period } = postal
  const lines = line.filter(isWritten)
  // Four at most.
  const streets = lines.length > 4 ? [...lines.slice(0, 3), lines.slice(3).join(', ')] : lines
  const part = (part: string, value: string | undefined): Child =>
    isWritten(value) ? el(part, {}, text(value)) : unknown(part)
  return el(
    name,
    { use: addressUses[use ?? ''] },
    streets.length === 0
      ? unknown('streetAddressLine')
      : streets.map((each) => part('streetAddressLine', each)),
    part('city', city),
    part('state', state),
    part('postalCode', postalCode),
    isWritten(country) && part('country', country),
    period && validTime('useablePeriod', period),
  )
}

/** At least one. */
export function telecoms(list: readonly fhir.ContactPoint[] | undefined): Xml {
  const all = (list ?? []).flatMap((each) => telecom(each) ?? [])
  return all.length === 0 ? unknown('telecom') : join(all)
}

export const oneTelecom = (all: readonly fhir.ContactPoint[] | undefined): Xml =>
  (all ?? []).map(telecom).find((each) => each !== null) ?? unknown('telecom')

function telecom({ system, value, use }: fhir.ContactPoint): Xml | null {
  const address = use === 'old' || value === undefined ? null : addressOf(system, value)
  return address === null ? null : el('telecom', { use: telecomUses[use ?? ''], value: address })
}

const schemes: Readonly<Record<string, string>> = { phone: 'tel:', sms: 'tel:', pager: 'tel:', fax: 'fax:' }

function addressOf(system: fhir.ContactPoint['system'], value: string): string | null {
  if (system === 'email') return `mailto:${encodeURI(permitted(value.trim()))}`
  if (system === 'url') return /^https?:\/\//i.test(value) ? encodeURI(permitted(value)) : null
  const scheme = schemes[system ?? '']
  // What a telephone cannot dial, spaces among it, does not belong into its address.
  const digits = value.replace(/[^\d+().-]/g, '')
  return scheme === undefined || !/\d/.test(digits) ? null : scheme + digits
}

/** `encodeURI` throws on halves of characters. */
const permitted = (value: string): string => value.replace(/\p{Surrogate}/gu, '\ufffd')

function validTime(name: string, { start, end }: fhir.Period): Xml | null {
  const [low, high] = [timestamp(start), timestamp(end)]
  if (low === null && high === null) return null
  const typed = name === 'useablePeriod' ? { 'xsi:type': 'IVL_TS' } : {}
  return el(name, typed, low !== null && time('low', start), high !== null && time('high', end))
}

const isWritten = (value: string | undefined): value is string => value !== undefined && value.trim() !== ''
