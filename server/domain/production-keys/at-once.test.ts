import { expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = productionKeySupport(() => services)

const services = await registrationServices({ template: 'schema' })

test('a request that is withdrawn while its BAA is signed ends with it, whoever was first, and nobody gets a fault', async () => {
  const made = await support.team()
  const office = await support.office()
  const first = await support.submitted({}, { ...made, office })
  await support.confirm(first)
  await support.sign((await support.rowOf(first.requestId)).usageAgreementId ?? '', made.owner, 'Owner')

  let scene = first
  for (let round = 0; round < 6; round += 1) {
    if (round > 0) {
      scene = await support.submitted({ name: `Round ${round}` }, { ...made, office })
      await support.confirm(scene)
    }
    const { baaId } = await support.rowOf(scene.requestId)
    const outcomes = await Promise.all([
      kindOfProblem(services.productionKeys.withdraw({ requestId: scene.requestId }, made.owner.fresh())),
      kindOfProblem(support.sign(baaId ?? '', office.signatory, 'Practice Manager')),
    ])

    expect(outcomes[0], `round ${round}`).toBe('none')
    expect(['none', 'conflict'], `round ${round}`).toContain(outcomes[1])
    expect(await support.stateOf(scene.requestId)).toBe('withdrawn')
    const baa = await services.prisma.agreement.findUniqueOrThrow({ where: { id: baaId ?? '' } })
    expect(baa.state).toBe('withdrawn')
    const signed = await services.prisma.agreementSignature.count({ where: { agreementId: baa.id } })
    expect(signed).toBe(outcomes[1] === 'none' ? 1 : 0)
  }
}, 120_000)
