/** What pages, emails, agreements and guides say of a key's classes of data and purposes, which the API enforces. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { KeyData } from '../../app/shared/keys/key-data.tsx'
import { registry } from '../../emails/registry.ts'
import { dataClasses } from '../../server/contract/keys/data-classes.ts'
import { createAgreementTexts } from '../../server/domain/agreements/agreement-texts.ts'
import { rootDir } from '../../server/root-dir.ts'

const read = (file: string) => readFileSync(join(rootDir, file), 'utf8')
describe('classes of data and purposes of a key', () => {
  test('are shown in words', () => {
    const page = renderToStaticMarkup(
      createElement(KeyData, { of: { dataClasses: ['allergies'], purposes: ['public_health'] } }),
    )

    expect(page).toContain(dataClasses.allergies)
    expect(page).toContain('public health')
  })

  test('stand in the agreement as what the key is limited to', () => {
    const baa = createAgreementTexts().preview('baa')

    expect(baa).toContain('[data classes]')
    expect(baa).toContain(
      'The service limits the key to these classes, and refuses requests that state another purpose',
    )
  })

  test('are described so to the practice that is asked, and in the guides', () => {
    const { letter, example } = registry['sponsor-invited']
    const context = { links: {}, page: String, instant: String } as never

    expect(letter(example as never, context).means).toContain('the data classes in the request')
    expect(read('docs/production.mdx')).toContain('The key can read only these data classes')
    expect(read('docs/rest.mdx')).toContain('If your key has fewer purposes')
  })
})
