import { expect, it } from 'vitest'
import { diffToSchema } from '../../scripts/prisma/schema-engine.mjs'
import { testDatabase } from '../support/database.ts'

it('the migrations make exactly the tables that schema.prisma describes', async () => {
  const database = await testDatabase('schema')

  expect(await diffToSchema(database.ownerUrl)).toBe('')
})

it('a table that differs is noticed, with the SQL that would mend it', async () => {
  const database = await testDatabase('schema')
  await database.ownerPool.query('ALTER TABLE portal.account DROP COLUMN email CASCADE')

  expect(await diffToSchema(database.ownerUrl)).toContain('ADD COLUMN     "email"')
})
