/**
 * The types of the TypeScript client are made from the OpenAPI document.
 * `UPDATE_CLIENT=1 npx vitest run tests/conventions/typescript-client.test.ts` writes them anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { createOpenApi } from '../../server/contract/rest/openapi.ts'
import { rootDir } from '../../server/root-dir.ts'

const folder = join(rootDir, 'clients/typescript')
const file = join(folder, 'src/schema.ts')

async function makeTypes(): Promise<string> {
  // The production document has every operation; the two bases differ in their address alone.
  const document = createOpenApi({ restOrigin: 'https://portal.example', environment: 'production' })
  const types = astToString(await openapiTS(document as unknown as OpenAPI3, { alphabetize: true }))
  return `// Made from the OpenAPI document of the REST API: npm run generate. Not edited by hand.\n\n${types}`
}

test('the types of the TypeScript client are those of the OpenAPI document', async () => {
  const types = await makeTypes()
  if (process.env.UPDATE_CLIENT === '1') writeFileSync(file, types)

  expect(readFileSync(file, 'utf8')).toBe(types)
})

test('a generated client may send a patient with a name and a birth date only', async () => {
  const types = await makeTypes()
  const body = types.slice(types.indexOf('NewPatient: {'))

  for (const field of ['active', 'address', 'sex', 'telecom', 'mrn', 'language', 'given'])
    expect(body, field).toMatch(new RegExp(`^\\s+${field}\\?:`, 'm'))
})

test('the client asks for the packages that the tests run it with', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const ours = read(join(rootDir, 'tests/package.json')).devDependencies
  const { dependencies, devDependencies } = read(join(folder, 'package.json'))

  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(`${name} ${ours[name]}`).toBe(`${name} ${version}`)
  }
})
