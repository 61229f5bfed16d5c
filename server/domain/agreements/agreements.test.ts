import { expect, test } from 'vitest'
import { agreementSupport } from '../../../tests/support/agreements.ts'
import { testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { withCore } from '../core.ts'
import { createAgreementTexts } from './agreement-texts.ts'
import * as verbs from './agreements.ts'
import { sha256Of } from './render-agreement.ts'

const support = agreementSupport(() => services)
const { offerUsage, stateOf } = support

const services = await testServices({ template: 'schema' })

test('a usage agreement whose template or policy was published anew is offered in the new version', async () => {
  const made = await support.makeParties()
  const id = await offerUsage(made)
  const { agreementTexts, prisma } = services
  const old = agreementTexts.get('usage-policy')
  const markdown = `${old.markdown}\nOne more rule.\n`
  const newer = { version: '1.1', markdown, sha256: sha256Of(new TextEncoder().encode(markdown)) }
  const newest = { agreementTexts: createAgreementTexts({ 'usage-policy': newer }), agreementListeners: [] }
  const desk = withCore({ ...services.core, ...newest }, verbs)
  const later = agreementSupport(
    () => services,
    () => desk,
  )

  expect(await later.sign(id, made.owner)).toMatchObject({ kind: 'changed' })
  expect((await support.target(id)).number).toBe(2)
  expect(await later.sign(id, made.owner)).toEqual({ kind: 'signed', executed: true })
  expect(
    await prisma.agreementSignature.findFirst({ where: { agreementId: id, side: 'developer' } }),
  ).toMatchObject({ number: 2, policyVersion: '1.1', policySha256: newer.sha256 })
})

test('operations withdraw what is open and end what is in force; reviewers see no list of either', async () => {
  const { agreements } = services
  const [ops, reviewer] = [await support.makeStaff('ops'), await support.makeStaff('reviewer')]
  const made = await support.makeParties()
  const open = await offerUsage(made)
  const executed = await support.executedBaa(made)
  const listed = async () =>
    (await agreements.listForOperations(ops.fresh())).rows.map(({ id, state }) => `${id} ${state}`)
  expect(await listed()).toEqual(expect.arrayContaining([`${open} offered`, `${executed} executed`]))
  expect(await kindOfProblem(agreements.listForOperations(reviewer.fresh()))).toBe('forbidden')

  const comment = 'The organization does not exist any more.'
  const target = support.target
  await agreements.withdraw({ ...(await target(open)), comment }, ops.fresh())
  const end = async (by: typeof ops) =>
    agreements.terminate({ ...(await target(executed)), comment, effectiveOn: null }, by.fresh())
  expect(await kindOfProblem(end(reviewer))).toBe('conflict')
  await end(ops)

  expect([await stateOf(open), await stateOf(executed)]).toEqual(['withdrawn', 'terminated'])
  const left = await listed()
  expect(left.filter((each) => each.startsWith(open) || each.startsWith(executed))).toEqual([])
})

test('a usage agreement leads its signatory to the BAA that waits for them, until they have signed it', async () => {
  const made = await support.makeParties()
  const [usage, baa] = [await offerUsage(made), await support.offerBaa(made)]
  const next = (id: string, { accountId }: { accountId: string }) =>
    services.agreements.findNextToSign(id, { accountId })

  expect(await next(usage, made.owner)).toBe(baa)
  expect(await next(usage, made.signatory)).toBeNull()
  expect(await next(baa, made.signatory)).toBeNull()
  await support.sign(baa, made.owner)
  expect(await next(usage, made.owner)).toBeNull()
})
