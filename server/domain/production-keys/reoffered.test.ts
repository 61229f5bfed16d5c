import { expect, test } from 'vitest'
import { type Person, productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'

const support = productionKeySupport(() => services)

const services = await registrationServices({ template: 'schema' })

/** Other bytes in the store than those that were offered. */
async function tamper(agreementId: string): Promise<void> {
  const { ownerPool } = services.database
  await ownerPool.query('ALTER TABLE portal.agreement_version DISABLE TRIGGER written_once')
  await ownerPool.query(
    `UPDATE portal.agreement_version SET bytes = bytes || '\\x20' WHERE agreement_id = $1`,
    [agreementId],
  )
  await ownerPool.query('ALTER TABLE portal.agreement_version ENABLE TRIGGER written_once')
}

test('a request waits for the new version of a document that is offered anew, and is not closed by it', async () => {
  const scene = await support.submitted()
  const { requestId, owner, office } = scene
  await support.confirm(scene)
  const { usageAgreementId } = await support.rowOf(requestId)
  const sign = (id: string | null, by: Person) => support.sign(id ?? '', by, 'Signs for us')

  await tamper(usageAgreementId ?? '')
  await expect(sign(usageAgreementId, owner)).rejects.toThrow(/new version/)
  expect(await support.stateOf(requestId)).toBe('sponsor_confirmed')
  await sign(usageAgreementId, owner)
  expect(await support.stateOf(requestId)).toBe('baa_pending')

  const { baaId } = await support.rowOf(requestId)
  await sign(baaId, owner)
  await tamper(baaId ?? '')
  await expect(sign(baaId, office.signatory)).rejects.toThrow(/new version/)
  expect(await support.stateOf(requestId)).toBe('baa_negotiation')
  await sign(baaId, owner)
  await sign(baaId, office.signatory)
  expect(await support.stateOf(requestId)).toBe('baa_executed')
})

test('a signatory of the practice who left before the BAA keeps no request, and hears of no paper', async () => {
  const scene = await support.submitted()
  const { requestId, owner, office } = scene
  await support.confirm(scene)
  const left = { practiceId: office.practiceId, accountId: office.signatory.accountId }
  await services.prisma.practiceMembership.deleteMany({ where: left })

  const { usageAgreementId } = await support.rowOf(requestId)
  await support.sign(usageAgreementId ?? '', owner, 'Signs for us')
  expect(await support.stateOf(requestId)).toBe('baa_pending')
  const baaId = (await support.rowOf(requestId)).baaId ?? ''
  const emails = await services.prisma.outboxMail.findMany({ where: { threadId: baaId } })
  expect(emails.map(({ toAddress }) => toAddress)).toContain(office.admin.email)
  expect(emails.map(({ toAddress }) => toAddress)).not.toContain(office.signatory.email)
  await expect(support.sign(baaId, office.signatory, 'Signs for us')).rejects.toMatchObject({
    kind: 'not_found',
  })

  const named = { accountId: office.admin.accountId, legalName: office.admin.name, title: 'Practice Manager' }
  await services.agreements.nameSignatory({ agreementId: baaId, ...named }, office.admin.fresh())
  await support.sign(baaId, owner, 'Signs for us')
  await support.sign(baaId, office.admin, 'Signs for us')
  expect(await support.stateOf(requestId)).toBe('baa_executed')
})
