import { expect, test } from 'vitest'
import { checkMonth } from '../support/registration-month-check.ts'
import { registrationServices } from '../support/registrations.ts'

test('a month of 500 registrations, another one at every run', async () => {
  const seed = Date.now() % 2_147_483_647
  const services = await registrationServices()

  const seen = await checkMonth(services, { count: 500, seed }).catch((error: Error) => {
    throw new Error(`seed ${seed}: ${error.message}`, { cause: error })
  })

  console.info(JSON.stringify({ seed, ...seen }))
  expect(seen.clocks, `seed ${seed}`).toBeGreaterThan(700)
}, 1_800_000)
