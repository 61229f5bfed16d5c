import { expect, test } from 'vitest'
import { agreementSupport, type Signer } from '../../../tests/support/agreements.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = agreementSupport(() => services)
const comment = 'We no longer work together.'

const services = await registrationServices({ template: 'schema' })

const end = async (id: string, by: Pick<Signer, 'fresh'>, lastDay: number | null) =>
  services.agreements.terminate(
    {
      ...(await support.target(id)),
      comment,
      effectiveOn: lastDay === null ? null : support.dayOf(lastDay),
    },
    by.fresh(),
  )
const renew = async (id: string, by: Signer) =>
  services.agreements.amend(await support.target(id), 'renew', { actor: by.fresh() })
const endOf = async (id: string) =>
  (await services.prisma.agreement.findUniqueOrThrow({ where: { id } })).endsAt?.getTime() ?? 0

test('notice that one side gave is made shorter by either, and longer by none', async () => {
  const parties = await support.makeParties()
  const id = await support.executedBaa(parties)
  await end(id, parties.signatory, 20)
  const given = await endOf(id)

  for (const lastDay of [20, 21, 300])
    expect(await kindOfProblem(end(id, parties.owner, lastDay))).toBe('validation')
  expect(await endOf(id)).toBe(given)
  await end(id, parties.owner, 10)
  expect(await endOf(id)).toBeLessThan(given)
})

test('what was given notice of is not renewed, nor is what was ended brought back by signatures on its renewal', async () => {
  const parties = await support.makeParties()
  const noticed = await support.executedBaa(parties, { expiresOn: support.dayOf(50) })
  await end(noticed, parties.signatory, 20)
  expect(await kindOfProblem(renew(noticed, parties.owner))).toBe('conflict')

  const others = await support.makeParties()
  const id = await support.executedBaa(others, { expiresOn: support.dayOf(50) })
  const { agreementId } = await renew(id, others.owner)
  await support.sign(agreementId, others.signatory)
  await end(id, others.signatory, null)
  expect(await kindOfProblem(support.sign(agreementId, others.owner))).toBe('conflict')
  expect(await support.stateOf(agreementId)).toBe('partially_signed')
})

test('a usage agreement that operations ended is not renewed by the developer’s signature alone', async () => {
  const ops = await support.makeStaff('ops')
  const parties = await support.makeParties()
  const id = await support.offerUsage(parties)
  await support.sign(id, parties.owner)
  services.advance((await endOf(id)) - services.clock().getTime() - 30 * 86_400_000)
  const { agreementId } = await renew(id, parties.owner)
  await end(id, ops, null)

  expect(await kindOfProblem(support.sign(agreementId, parties.owner))).toBe('conflict')
  expect(await support.stateOf(agreementId)).toBe('offered')
})
