/** What operations find in the portal's audit, and the check of its chain on demand. */
import { expect, it } from 'vitest'
import { operationsSupport, opsReason } from '../../../tests/support/operations.ts'
import { testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const reason = opsReason

const services = await testServices({ template: 'schema' })
const made = await operationsSupport(services)
const ops = made.ops

it('the audit is searched by actor, action, subject and time, page by page, and never twice the same row', async () => {
  const other = await made.staff('ops')
  const { email } = await services.prisma.account.findUniqueOrThrow({ where: { id: other.accountId } })
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    const mine = await made.key()
    ids.push(mine.id)
    await services.operations.perform('revoke_key', { ...mine, reason }, other)
  }
  const { search, file } = services.operations.audit
  const subjects = async (filter: Parameters<typeof search>[0]) =>
    (await search(filter, ops)).rows.map(({ subjectId }) => subjectId)
  const newestFirst = ids.toReversed()

  expect(await subjects({ who: email.toUpperCase(), limit: 50 })).toEqual(newestFirst)
  expect(await subjects({ who: other.accountId, action: 'api_key', limit: 50 })).toEqual(newestFirst)
  expect(await subjects({ who: other.accountId, action: 'api', limit: 50 })).toEqual([])
  expect(await subjects({ subject: ids[2] ?? '', limit: 50 })).toEqual([ids[2]])
  expect(await subjects({ who: other.accountId, to: services.clock(), limit: 50 })).toEqual([])
  expect(await subjects({ who: 'nobody@people.example', limit: 50 })).toEqual([])
  const first = await search({ who: other.accountId, limit: 3 }, ops)
  const second = await search({ who: other.accountId, limit: 3, before: first.next ?? '' }, ops)
  expect([...first.rows, ...second.rows].map(({ subjectId }) => subjectId)).toEqual(newestFirst)
  expect(second.next).toBeNull()
  expect(first.rows[0]).toMatchObject({ actor: 'Kim Placeholder', action: 'api_key.revoked' })
  const pages = []
  for await (const rows of file({ who: other.accountId }, ops)) pages.push(...rows)
  expect(pages.map(({ subjectId }) => subjectId)).toEqual(newestFirst)
  expect(await kindOfProblem(search({ before: 'x', limit: 1 }, ops))).toBe('validation')
})

it('the chain is checked on demand, and the result is kept for whoever looks next', async () => {
  await services.sealer.seal()
  await services.sealer.writeHead({ now: true })

  await services.operations.perform('check_chain', { id: '', version: 0, reason }, ops)

  expect(await services.operations.audit.lastCheck(ops)).toMatchObject({
    verdict: { intact: true },
    by: 'Kim Placeholder',
  })
  await services.database.ownerPool.query(
    `UPDATE portal.audit_event SET ip = '198.51.100.1' WHERE chain_number = 3`,
  )
  await services.operations.perform('check_chain', { id: '', version: 0, reason }, ops)
  expect(await services.operations.audit.lastCheck(ops)).toMatchObject({
    verdict: { intact: false, number: '3' },
  })
})
