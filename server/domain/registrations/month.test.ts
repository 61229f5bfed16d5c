import { expect, test } from 'vitest'
import { checkMonth } from '../../../tests/support/registration-month-check.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'

test('a month of two registrations (of 500 in `npm run test:long`): every clock as counted by hand, no mail lost or doubled, the audit chain whole', async () => {
  const services = await registrationServices()

  const seen = await checkMonth(services, { count: 2, seed: 20261122 })

  expect(seen.clocks).toBeGreaterThan(2)
}, 120_000)
