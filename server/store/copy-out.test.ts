import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { copyOut } from './copy-out.ts'

test('texts come as they are stored, whatever they hold, and a sink that fails ends it', async () => {
  const { appUrl } = await testDatabase('empty')
  const client = new pg.Client({ connectionString: appUrl })
  await client.connect()
  const texts = [
    JSON.stringify({ div: '<div class="x">\\ "quoted" \n\t Zoë 漢字</div>' }),
    JSON.stringify({ long: '\\"'.repeat(300_000) }),
    '{}',
  ]
  await client.query('CREATE TEMPORARY TABLE texts (place int, content text)')
  for (const [place, text] of texts.entries()) {
    await client.query('INSERT INTO texts VALUES ($1, $2)', [place, text])
  }

  const copy = 'COPY (SELECT content FROM texts ORDER BY place) TO STDOUT'
  const parts: Buffer[] = []
  let rows = 0
  const sent = await copyOut(client, copy, async (lines, count) => {
    parts.push(lines)
    rows += count
  })

  expect(Buffer.concat(parts).toString()).toBe(texts.map((text) => `${text}\n`).join(''))
  expect([sent, rows]).toEqual([3, 3])
  const failing = copyOut(client, copy, async () => {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
  })
  await expect(failing).rejects.toMatchObject({ code: 'ENOSPC' })
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await client.query(`INSERT INTO texts VALUES (9, E'a\\tb')`)
  await expect(copyOut(client, copy, async () => {})).rejects.toThrow('control character')
  await client.end()
})
