import { expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'

const support = productionKeySupport(() => services)
const dayMs = 86_400_000

const services = await registrationServices({ template: 'schema' })

test('the review’s clock tells its reviewer at 60 percent, the others at 80, operations when it is over, each once', async () => {
  const scene = await support.submitted()
  const { requestId, owner } = scene
  await support.confirm(scene)
  await support.signEverything(scene)
  const [rae, kit] = [await support.makeStaff('reviewer'), await support.makeStaff('reviewer')]
  const ops = await support.makeStaff('ops')
  const { reviews, tick } = services.productionKeys
  await reviews.claim(await support.target(requestId), rae.fresh())
  const mailsOf = async ({ accountId }: { accountId: string }) => {
    const { email } = await services.prisma.account.findUniqueOrThrow({ where: { id: accountId } })
    return services.prisma.outboxMail.count({
      where: { toAddress: email, template: 'review-escalation', threadId: requestId },
    })
  }
  const days = async (count: number) => {
    const escalations: string[] = []
    for (let day = 1; day <= count; day += 1) {
      services.advance(dayMs)
      await tick(services.clock())
      await tick(services.clock())
      escalations.push(`${await mailsOf(rae)} ${await mailsOf(kit)} ${await mailsOf(ops)}`)
    }
    return [...new Set(escalations)]
  }

  expect((await days(5)).slice(0, 2)).toEqual(['0 0 0', '1 0 0'])
  await reviews.requestInfo(
    { ...(await support.target(requestId)), items: [{ code: 'need_unclear', text: 'Enter the purpose.' }] },
    rae.fresh(),
  )
  const paused = await support.rowOf(requestId)
  expect(await days(7)).toHaveLength(1)
  const items = await services.prisma.productionKeyItem.findMany({ where: { requestId } })
  const answers = items.map(({ id }) => ({ id, text: 'It reminds patients of visits that are due.' }))
  await services.productionKeys.resubmit({ ...(await support.target(requestId)), answers }, owner.fresh())
  await reviews.claim(await support.target(requestId), rae.fresh())
  const rest = await days(10)

  expect(paused.clockBreachedAt).toBeNull()
  expect(rest.at(-1)).toBe('3 2 1')
  expect((await support.rowOf(requestId)).clockBreachedAt).not.toBeNull()
  const actions = await services.prisma.auditEvent.findMany({
    where: { action: { startsWith: 'production_key.clock' }, subjectId: requestId },
    orderBy: { id: 'asc' },
  })
  expect(actions.map(({ action }) => action)).toEqual([
    'production_key.clock_60',
    'production_key.clock_80',
    'production_key.clock_breach',
  ])

  const monday = new Date('2027-03-01T15:00:00Z')
  await services.registrations.sendDigest(monday)
  const [digest] = await services.prisma.outboxMail.findMany({ where: { template: 'review-digest' } })
  expect(digest?.props).toMatchObject({ waiting: 1, productionKeys: 1, unclaimed: 0 })
}, 60_000)
