/** Every command of the reference, sent as its page shows it: one for each operation and each FHIR type. */
import { expect, test } from 'vitest'
import { referencePages } from '../../app/docs/reference/reference.server.ts'
import { responsesFileOf } from '../../app/docs/reference/reference-page.ts'
import { fhirRegistry } from '../../server/contract/fhir/registry.ts'
import { basePaths } from '../../server/contract/rest/openapi.ts'
import { operations } from '../../server/contract/rest/operations.ts'
import { statusOperations } from '../../server/contract/status/operations.ts'
import { baseOf, defaultPractice, fhirOrigin, fhirStack } from '../support/fhir.ts'
import { restStack } from '../support/rest.ts'
import { expectSample, runCommand } from '../support/sample-responses.ts'
import { slice } from '../support/slice.ts'

const pages = referencePages()
const commands = pages.flatMap((page) =>
  page.blocks.flatMap((block) =>
    block.kind === 'command' ? [{ ...block, page, file: responsesFileOf(page) }] : [],
  ),
)
const words = [
  [baseOf(defaultPractice), 'SANDBOX_BASE'],
  [fhirOrigin, 'REST_ORIGIN'],
] as const

const keys: Record<string, string> = { status: '', fhir: '' }

const stack = await restStack()
keys.rest = (await stack.issueKey({})).key
keys.write = (await stack.issueWriter()).key
const { token } = await (await fhirStack({ services: stack.services })).issueToken({ audience: 'backend' })

test.each(slice(commands, 14).map((each) => [each.page.path, each] as const))('%s', async (_path, each) => {
  const placed = each.command
    .replaceAll('SANDBOX_BASE', baseOf(defaultPractice))
    .replaceAll('REST_ORIGIN', fhirOrigin)
  const variables = { BASE: fhirOrigin + basePaths.sandbox, SVC_KEY: keys[each.stage] ?? '', TOKEN: token }

  const answer = await runCommand(stack.app, placed, variables)

  expect(answer.status, answer.text.slice(0, 400)).toBe(each.status)
  if (each.stage === 'fhir') expect(JSON.parse(answer.text).entry?.length, 'a sample').toBeGreaterThan(0)
  const sameFile = commands.filter(({ file }) => file === each.file).map(({ command }) => command)
  expectSample({ file: each.file, command: each.command, commands: sameFile, words, linesMax: 90 }, answer)
})

test('the reference has a page with a sample for each operation and each FHIR type', () => {
  const paths = commands.map(({ page }) => page.path)

  for (const id of [...Object.keys(operations), ...Object.keys(statusOperations)])
    expect(paths).toContain(`/docs/reference/rest/${id}`)
  for (const type of Object.keys(fhirRegistry)) expect(paths).toContain(`/docs/reference/fhir/${type}`)
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
})
