import { describe, expect, test } from 'vitest'
import { shownSpan, time, timestamp } from './times.ts'
import { concept, foundValue, quantity, unitOf } from './values.ts'

describe('a time', () => {
  test.each([
    ['2024', '2024'],
    ['2024-02', '202402'],
    ['2024-02-29', '20240229'],
    ['2024-02-29T23:59:60Z', '20240229235960+0000'],
    ['2024-02-29T10:05:07.123-04:30', '20240229100507-0430'],
    ['2024-02-29T10:05+05:45', '20240229100500+0545'],
  ])('%s is written %s, no more precise than it is known', (given, written) => {
    expect(timestamp(given)).toBe(written)
  })

  test('that is none is unknown', () => {
    for (const none of [undefined, '', 'soon', '2024-2-1', '20240229']) {
      expect(time('time', none)).toBe('<time nullFlavor="UNK"/>')
    }
    expect(shownSpan({ end: '2024-01-02T10:00:00Z' })).toBe('until 2024-01-02 10:00')
  })
})

describe('a code', () => {
  const snomed = { system: 'http://snomed.info/sct', code: '1', display: 'One' }

  test('carries its display, its text and where it stands; others translate it', () => {
    const coding = [{ system: 'http://loinc.org', code: '2-2' }, snomed]

    expect(concept('code', { coding, text: 'Ones' }, { ref: 'x-1' })).toBe(
      '<code code="2-2" codeSystem="2.16.840.1.113883.6.1" codeSystemName="LOINC">' +
        '<originalText>Ones<reference value="#x-1"/></originalText>' +
        '<translation code="1" codeSystem="2.16.840.1.113883.6.96" codeSystemName="SNOMED CT" displayName="One"/></code>',
    )
  })

  test('of a system without an OID stands as its text, and one of none is unknown', () => {
    const own = { coding: [{ system: 'https://nowhere.example', code: 'x' }], text: 'Own' }

    expect(concept('code', own)).toBe('<code nullFlavor="OTH"><originalText>Own</originalText></code>')
    expect(concept('code', undefined)).toBe('<code nullFlavor="UNK"/>')
    expect(concept('code', { coding: [{ system: 'urn:oid:1.2.3', code: 'y' }] })).toContain(
      'codeSystem="1.2.3"',
    )
  })

  test('that a template does not take translates, and the template’s own place stays empty', () => {
    const given = concept('code', { coding: [snomed] }, { prefer: [] })

    expect(given).toMatch(/^<code nullFlavor="OTH"><originalText>One<\/originalText><translation code="1" /)
  })
})

describe('a quantity', () => {
  const ucum = { system: 'http://unitsofmeasure.org', code: 'mg/dL' }

  test('keeps its unit of UCUM, and counts in an annotation what is counted in words', () => {
    expect(quantity('value', { value: 5.5, ...ucum })).toBe('<value value="5.5" unit="mg/dL"/>')
    expect(unitOf({ value: 1, unit: 'half a tablet' })).toBe('{half_a_tablet}')
    expect(unitOf({ value: 1 })).toBeUndefined()
  })

  test('of which a bound is known is an interval', () => {
    expect(foundValue({ valueQuantity: { value: 5, comparator: '<', ...ucum } })).toBe(
      '<value xsi:type="IVL_PQ"><high value="5" unit="mg/dL" inclusive="false"/></value>',
    )
  })

  test('that is not there is said to be missing, with the reason where one is told', () => {
    expect(foundValue({})).toBe('<value xsi:type="CD" nullFlavor="UNK"/>')
    expect(quantity('value', undefined, { typed: true, unit: true })).toContain('nullFlavor="UNK"')
  })
})
