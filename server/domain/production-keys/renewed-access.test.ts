import { expect, test } from 'vitest'
import { type Person, productionKeySupport, reasonWords } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = productionKeySupport(() => services)
const keys = () => services.productionKeys
const dayMs = 86_400_000

const services = await registrationServices({ template: 'schema' })

/** A key near its end, and the renewal that was asked for while it worked. */
async function renewed() {
  const scene = await support.working()
  services.advance(65 * dayMs)
  const { requestId: renewalId } = await keys().renew({ requestId: scene.requestId }, scene.owner.fresh())
  return { ...scene, renewalId }
}

const because = async (requestId: string) => ({ ...(await support.target(requestId)), reason: reasonWords })
const reconfirm = async (id: string, admin: Person) =>
  keys().sponsors.reconfirm(await support.target(id), admin.fresh())
const keysOf = (id: string) => services.prisma.apiKey.count({ where: { productionRequestId: id } })

test('a key that operations suspend is not got around by its renewal, before or after the practice’s click', async () => {
  const ops = await support.makeStaff('ops')
  const { requestId, renewalId, owner, office } = await renewed()
  await keys().suspend(await because(requestId), ops.fresh())

  expect(await kindOfProblem(reconfirm(renewalId, office.admin))).toBe('conflict')
  await keys().reinstate(await because(requestId), ops.fresh())
  await reconfirm(renewalId, office.admin)
  await keys().suspend(await because(requestId), ops.fresh())
  await expect(keys().reveal({ requestId: renewalId }, owner.fresh())).rejects.toThrow(
    /Stopped by an operator/,
  )
  expect(await keysOf(renewalId)).toBe(0)

  await keys().reinstate(await because(requestId), ops.fresh())
  expect((await keys().reveal({ requestId: renewalId }, owner.fresh())).kind).toBe('revealed')
})

test('a key that ended while it was suspended is not renewed', async () => {
  const ops = await support.makeStaff('ops')
  const { requestId, owner } = await support.working()
  await keys().suspend(await because(requestId), ops.fresh())
  services.advance(91 * dayMs)
  await keys().tick(services.clock())
  expect(await support.stateOf(requestId)).toBe('expired')

  expect(await kindOfProblem(keys().renew({ requestId }, owner.fresh()))).toBe('conflict')
})

test('a key that was revoked has no renewal, and one whose practice ended its word has none until it gives it again', async () => {
  const ops = await support.makeStaff('ops')
  const revoked = await renewed()
  await reconfirm(revoked.renewalId, revoked.office.admin)
  await keys().revoke(await because(revoked.requestId), ops.fresh())
  await expect(keys().reveal({ requestId: revoked.renewalId }, revoked.owner.fresh())).rejects.toThrow(
    /was revoked/,
  )

  const unsponsored = await renewed()
  const { requestId, renewalId, owner, office } = unsponsored
  await reconfirm(renewalId, office.admin)
  await keys().sponsors.endSponsorship(await because(requestId), office.admin.fresh())
  expect(await kindOfProblem(keys().reveal({ requestId: renewalId }, owner.fresh()))).toBe('conflict')
  await keys().sponsors.takeOver(await support.target(requestId), office.admin.fresh())
  expect((await keys().reveal({ requestId: renewalId }, owner.fresh())).kind).toBe('revealed')
})

test('a renewal that the practice does not know of is a request like any other when operations release it', async () => {
  const ops = await support.makeStaff('ops')
  const { renewalId, office } = await renewed()
  await keys().sponsors.notUs(await because(renewalId), office.admin.fresh())

  await keys().reviews.endHold({ ...(await because(renewalId)), outcome: 'release' }, ops.fresh())

  expect(await support.rowOf(renewalId)).toMatchObject({
    state: 'draft',
    renewsId: null,
    openRenewalOfId: null,
  })
})
