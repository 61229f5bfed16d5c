import { expect, test } from 'vitest'
import { keyRequestForm } from '../../../tests/support/key-request.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createTeams, type Person } from '../../../tests/support/team.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { limits } from '../../contract/http/limits.ts'

const { makeTeam } = createTeams(() => services)

const services = await testServices()

async function request(organizationId: string, { actor }: Person, name = 'Intake prototype') {
  const form = keyRequestForm(services, organizationId, { name })
  const { requestId } = await services.keys.requestSandboxKey(form, actor)
  return requestId
}

async function makeClaimable() {
  const { organizationId, owner } = await makeTeam()
  const requestId = await request(organizationId, owner)
  await services.keys.provision(requestId)
  return { organizationId, owner, requestId }
}

test('a key may not be named by another key: no mail about it would leave', async () => {
  const { organizationId, owner } = await makeTeam()

  expect(await kindOfProblem(request(organizationId, owner, 'In place of svc_tAAAAAAA'))).toBe('validation')
})

test.each([
  [
    `found svc_t${'A'.repeat(46)} in a commit`,
    'The reason was removed because it contained a secret or a patient’s details.',
  ],
  ['laptop\0 lost\n', 'laptop  lost'],
])('a reason such as %j revokes, and is not kept as it was', async (typed, kept) => {
  const { owner, organizationId, requestId } = await makeClaimable()
  await services.keys.reveal({ requestId }, owner.actor)
  const [key] = await services.keys.list({ organizationId, accountId: owner.accountId })

  const answer = await services.keys.revoke({ keyId: key?.id ?? '', reason: typed }, owner.actor)

  expect(answer.kind).toBe('revoked')
  const [ended] = await services.keys.list({ organizationId, accountId: owner.accountId })
  expect(ended?.revokeReason).toBe(kept)
})

test('an expired claim comes back only where there is room for one more key', async () => {
  const { owner, organizationId, requestId } = await makeClaimable()
  services.advance(limits.claimLinkHours * 3_600_000)
  await services.keys.tick(services.clock())
  const newer: string[] = []
  for (let count = 0; count < limits.sandboxKeysPerOrganization; count++)
    newer.push(await request(organizationId, owner))

  expect(await kindOfProblem(services.keys.reissueClaim({ requestId }, owner.actor))).toBe('conflict')
  await services.prisma.sandboxKeyRequest.delete({ where: { id: newer[0] ?? '' } })
  expect(await services.keys.reissueClaim({ requestId }, owner.actor)).toMatchObject({ kind: 'sent' })
})
