import { expect, test } from 'vitest'
import { sandboxPeople } from '../server/contract/lab/sandbox-people.ts'
import { castFacts } from './cast-facts.ts'
import { defaultSeed } from './options.ts'
import { addDays } from './people/calendar.ts'

test('the documentation names the people of the cast as they are seeded', () => {
  const later = castFacts({ ...defaultSeed, asOf: addDays(defaultSeed.asOf, 30) })
  const moving = new Set(
    castFacts(defaultSeed)
      .filter(({ birthDate }, place) => birthDate !== later[place]?.birthDate)
      .map(({ id }) => id),
  )

  expect(sandboxPeople).toEqual(
    castFacts(defaultSeed).map(({ id, name, medicalRecordNumber, birthDate, purpose, logins }) => ({
      id,
      mrn: medicalRecordNumber,
      name,
      birthDate: moving.has(id) ? null : birthDate,
      purpose,
      logins,
    })),
  )
})
