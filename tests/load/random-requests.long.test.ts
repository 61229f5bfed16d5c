import { test } from 'vitest'
import { checkRandomRequests } from '../support/random-promises.ts'
import { restStack } from '../support/rest.ts'

test('10,000 random bodies and as many query strings get promised answers and leave whole records', async () => {
  await checkRandomRequests(await restStack(), { runs: 10_000 })
}, 600_000)
