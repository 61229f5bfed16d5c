/** Nobody at a practice reads the name of an action: each one that may be about a practice has words. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agreementEvents } from '../../../server/contract/workflows/agreement-workflow.ts'
import { productionKeyEvents } from '../../../server/contract/workflows/production-key-workflow.ts'
import { rootDir } from '../../../server/root-dir.ts'
import { listTrackedFiles } from '../../../tests/support/tracked-files.ts'
import { changeWords } from './change-words.ts'

/** What the actions are about whose row in the audit names a practice. */
const nouns =
  /^(?:agreement|api_key|app_token|bulk_export|grant|practice|practice_staff|production_key|sandbox|second_factor|system_authorization)\./

const sources = listTrackedFiles().filter((file) => /^server\/(?:domain|lab)\/.*(?<!\.test)\.ts$/.test(file))

const written = sources.flatMap((file) =>
  [...readFileSync(join(rootDir, file), 'utf8').matchAll(/\baction: '([a-z_]+\.[a-z_0-9]+)'/g)].map(
    ([, action = '']) => action,
  ),
)

const actions = new Set([
  ...written.filter((action) => nouns.test(action)),
  ...productionKeyEvents.map((event) => `production_key.${event}`),
  ...agreementEvents.map((event) => `agreement.${event}`),
])

test('every audited action about a practice has words on its access record', () => {
  expect(actions.size).toBeGreaterThan(70)
  const asStored = (action: string) => action.replace('.', ': ').replaceAll('_', ' ')
  expect([...actions].filter((action) => changeWords(action) === asStored(action))).toEqual([])
})
