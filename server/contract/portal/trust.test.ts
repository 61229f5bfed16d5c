/** The portal's pages, emails and documents make no false claims. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rootDir } from '../../root-dir.ts'
import { feeStatement, neverClaimed, neverOnFhirPages, trustStatements } from './trust.ts'

/** Word for word from the specification of the FHIR API. */
const specification =
  'Certification is in progress and the service is not yet on the public certified-products list. An internal security assessment is complete with remediation ongoing. An independent external security review is not complete.'
const fees =
  'No fee to patients, practices or developers for registration, testing, production access, calls or Bulk Data. No revenue share.'

const published = ['app', 'emails', 'docs', 'server/domain/agreements/texts', 'server/contract']
  .filter((folder) => existsSync(join(rootDir, folder)))
  .flatMap((folder) =>
    readdirSync(join(rootDir, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  )
  .filter((file) => /\.(tsx?|mdx?|txt|html)$/.test(file) && !/trust\.ts$|\.test\.ts$/.test(file))
  .map((file) => [file, readFileSync(join(rootDir, file), 'utf8')] as const)

test('the statements about status and fees are those of the specification, word for word', () => {
  expect(trustStatements.map(({ text }) => text).join(' ')).toBe(specification)
  expect(feeStatement.none).toBe(fees)
})

describe('no page, email or document', () => {
  test('claims a certificate, a review or a standard that we do not have', () => {
    const texts = [...published, ['trust', JSON.stringify([trustStatements, feeStatement])] as const]

    const claims = texts.flatMap(([file, text]) =>
      neverClaimed.flatMap((claim) => (claim.test(text) ? [`${file}: ${claim.exec(text)?.[0]}`] : [])),
    )

    expect(texts.length).toBeGreaterThan(100)
    expect(claims).toEqual([])
  })

  test('mentions the profit share of the REST API, except the usage agreement that defines it', () => {
    const others = published.filter(([file]) => !/usage-agreement-[\d.]+\.md$/.test(file))
    const found = others.filter(([, text]) =>
      neverOnFhirPages.some((words) => text.toLowerCase().includes(words)),
    )

    expect(found.map(([file]) => file)).toEqual([])
  })
})
