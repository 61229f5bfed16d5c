import { expect, test } from 'vitest'
import { party, productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'

const support = productionKeySupport(() => services)
const services = await registrationServices({ template: 'schema' })

test('an admin is shown what the practice said when it last confirmed; nobody else is, and no other practice', async () => {
  const first = await support.submitted()
  const { admin, signatory } = first.office
  const before = async (requestId: string, who = admin) =>
    (await services.productionKeys.get(requestId, who.fresh())).partyBefore
  expect(await before(first.requestId)).toBeNull()

  await support.confirm(first)
  const second = await support.submitted({ name: 'Second import' }, first)
  const elsewhere = await support.submitted(
    { name: 'Elsewhere' },
    { ...first, office: await support.office() },
  )

  expect(await before(second.requestId)).toEqual({
    ...party,
    legalName: 'Fennmoor Family Practice PLLC',
    signatoryId: signatory.accountId,
    signatoryName: signatory.name,
    signatoryTitle: 'Practice Manager',
  })
  expect(await before(first.requestId)).toBeNull()
  expect(await before(second.requestId, signatory)).toBeNull()
  expect(await before(second.requestId, second.owner)).toBeNull()
  expect(await before(elsewhere.requestId, elsewhere.office.admin)).toBeNull()
})
