import { expect, test } from 'vitest'
import { castSeed } from '../../seed/options.ts'
import { practiceRecords } from '../../seed/practice-records.ts'
import { getPractice } from '../../seed/practices.ts'
import { compareFhir } from '../support/compare-fhir.ts'
import type { Found } from '../support/us-core-profiles.ts'

const resources = [...practiceRecords(getPractice('sandbox-template'), castSeed)] as readonly Found[]

test('every resource of the cast is as R4 and US Core say', () => {
  expect(resources.flatMap(compareFhir)).toEqual([])
})
