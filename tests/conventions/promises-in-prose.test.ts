/** What pages, emails, agreements and guides say of a key's classes of data and purposes, as long as nothing enforces them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { KeyData } from '../../app/shared/keys/key-data.tsx'
import { registry } from '../../emails/registry.ts'
import { dataClasses, notEnforced } from '../../server/contract/keys/data-classes.ts'
import { createAgreementTexts } from '../../server/domain/agreements/agreement-texts.ts'
import { rootDir } from '../../server/root-dir.ts'

const read = (file: string) => readFileSync(join(rootDir, file), 'utf8')
const sources = (folder: string) =>
  readdirSync(join(rootDir, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => join(folder, file))

describe('classes of data and purposes of a key', () => {
  test('are shown with the sentence that nothing enforces them', () => {
    const page = renderToStaticMarkup(
      createElement(KeyData, { of: { dataClasses: ['allergies'], purposes: ['public_health'] } }),
    )

    expect(page).toContain(dataClasses.allergies)
    expect(page).toContain('public health')
    expect(page).toContain(notEnforced)
  })

  test('are shown by that component alone, and asked for on a page that has the sentence', () => {
    const naming = [...sources('app'), ...sources('emails')].filter((file) =>
      /\b(isDataClass|dataClasses)\b(?=\(|\[| *[,}] *(?:\w+ *)?.*from )|entries\(dataClasses\)/.test(
        read(file),
      ),
    )

    expect(naming.sort()).toEqual([
      'app/developers/production-keys/production-fields.tsx',
      'app/shared/keys/key-data.tsx',
    ])
    for (const file of naming) expect(read(file).match(/notEnforced/g)?.length, file).toBeGreaterThan(1)
  })

  test('stand in the agreement with the same reservation', () => {
    const baa = createAgreementTexts().preview('baa')

    expect(baa).toContain('[data classes]')
    expect(baa).toContain('The service records these classes and purposes and does not enforce them')
  })

  test('are described so to the practice that is asked, and in the guides', () => {
    const { letter, example } = registry['sponsor-invited']
    const context = { links: {}, page: String, instant: String } as never

    expect(letter(example as never, context).means).toContain('are recorded, not enforced')
    expect(read('docs/production.mdx')).toContain('the API does not limit the key to them')
    expect(read('docs/rest.mdx')).toContain('is not compared with the purposes your key was granted for')
  })
})
