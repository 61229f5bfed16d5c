/**
 * One person of every sandbox holds all that US Core 6.1.0 asks for, so that one access token is enough for a test
 * suite. https://hl7.org/fhir/us/core/STU6.1/must-support.html
 */
import type { PractitionerRole } from 'fhir/r4.js'
import { describe, expect, test } from 'vitest'
import { castPlans, shortChartObservations } from '../../seed/cast/plans.ts'
import { castPeople } from '../../seed/cast.ts'
import { castSeed } from '../../seed/options.ts'
import { openingBatch, patientFile } from '../../seed/practice-records.ts'
import { getPractice, practices } from '../../seed/practices.ts'
import { createRandomness } from '../../seed/randomness.ts'
import { conformancePersonId } from '../../server/contract/lab/conformance-person.ts'
import { missingFrom } from '../support/must-support.ts'
import { type Found, profiles } from '../support/us-core-profiles.ts'

const sandboxes = practices.filter(({ environment }) => environment === 'sandbox').map(({ slug }) => slug)

describe.each(sandboxes)('the conformance person of %s', (slug) => {
  const practice = getPractice(slug)
  const { seed, asOf } = castSeed
  const person = castPeople(asOf).find(({ id }) => id === conformancePersonId)
  if (person === undefined) throw new Error(`${conformancePersonId} is not in the cast`)
  const plan = castPlans(shortChartObservations)[person.id]
  const chart = patientFile({ practice, person, asOf, randomness: createRandomness(seed), plan })
  const resources = [
    ...(chart.resources as readonly unknown[] as readonly Found[]),
    ...(openingBatch(practice, castSeed).resources as readonly unknown[] as readonly Found[]),
  ]
  const byAddress = new Map(resources.map((each) => [`${each.resourceType}/${each.id}`, each]))

  test('has clinicians whose role claims its profile and whose endpoint is there', () => {
    const roles = resources.filter(({ resourceType }) => resourceType === 'PractitionerRole')

    expect(roles.length).toBeGreaterThan(0)
    for (const { meta, endpoint } of roles as unknown as PractitionerRole[]) {
      expect(meta?.profile).toEqual([
        'http://hl7.org/fhir/us/core/StructureDefinition/us-core-practitionerrole',
      ])
      expect(endpoint?.map(({ reference }) => byAddress.get(reference ?? '')?.resourceType)).toEqual([
        'Endpoint',
      ])
    }
  })

  test.each(profiles.map((each) => [each.profile, each] as const))('%s', (_, profile) => {
    expect(missingFrom(profile, resources, byAddress)).toEqual([])
  })
})
