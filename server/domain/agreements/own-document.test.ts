/** A document of one's own in place of our text: what is refused, and with which reason. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { agreementSupport, ownPaper } from '../../../tests/support/agreements.ts'
import { testServices } from '../../../tests/support/services.ts'
import { fileRules } from '../../contract/forms/files.ts'
import { pdfFaults } from '../../contract/forms/pdf-rules.ts'
import { baaClauseNames } from '../../contract/workflows/agreements.ts'

const support = agreementSupport(() => services)

const services = await testServices({ template: 'schema' })

test('takes no upload without every clause, nor a file that cannot be signed, and changes nothing', async () => {
  const parties = await support.makeParties()
  const id = await support.offerBaa(parties)
  const refused = async (change: object, field: string, message: string) =>
    expect(support.upload(id, parties, change)).rejects.toMatchObject({
      ...{ kind: 'validation', field, message: expect.stringContaining(message) },
    })
  const places = Object.fromEntries(baaClauseNames.map((clause) => [clause, 'Section 1']))

  await refused({ clauses: { report: 'Section 3' } }, 'clauses', 'every clause')
  await refused({ clauses: { ...places, access: ' \n ' } }, 'clauses', 'every clause')
  await refused({ clauses: { ...places, access: 'x'.repeat(81) } }, 'clauses', '80 characters')
  await refused({ clauses: { ...places, access: '第三条' } }, 'clauses', 'Latin letters')
  const ofFile = (bytes: Uint8Array, message: string) => refused({ bytes }, 'file', message)
  await ofFile(new Uint8Array(), 'empty')
  await ofFile(new TextEncoder().encode('PK\u0003\u0004'), fileRules.agreement.wrongType)
  await ofFile(new Uint8Array(10_000_001), fileRules.agreement.tooLarge)
  await ofFile(ownPaper('', '/Encrypt 9 0 R'), pdfFaults.encrypted)
  await ofFile(ownPaper().subarray(0, 40), pdfFaults.damaged)
  expect(await services.prisma.agreementVersion.count({ where: { agreementId: id } })).toBe(1)
})

test('is stored with its places and without its actions, and both sides read what is stored', async () => {
  const parties = await support.makeParties()
  const id = await support.offerBaa(parties)
  await support.upload(id, parties, {
    bytes: ownPaper('/OpenAction << /S /Launch /F (mark.exe) >> /Names << /EmbeddedFiles 9 0 R >>'),
  })
  const { offered } = await services.agreements.read(id, parties.owner.fresh())
  expect(offered).toMatchObject({ source: 'upload', fileName: 'Our-BAA.pdf', markdown: null, number: 2 })
  expect(Object.keys(offered.clausePlaces as object).sort()).toEqual([...baaClauseNames].sort())
  for (const reader of [parties.owner, parties.signatory]) {
    const { bytes, sha256 } = await services.agreements.readFile(id, 2, reader.fresh())
    const file = Buffer.from(bytes)
    expect(createHash('sha256').update(file).digest('hex')).toBe(sha256)
    expect(file.toString('latin1')).toMatch(/^%PDF-.*Testwell and Samplewood/s)
    expect(file.toString('latin1')).not.toMatch(/OpenAction|Launch|mark|Names/)
  }
  expect(await services.agreements.findOwnBaa(id)).toMatchObject({
    bySide: 'practice',
    fileName: 'Our-BAA.pdf',
  })
})

test('nobody’s file is read who may not change the agreement, or when it can’t be changed any more', async () => {
  const parties = await support.makeParties()
  const id = await support.executedBaa(parties)
  const never = new Proxy(new Uint8Array(1), {
    get() {
      throw new Error('the file was read')
    },
  })
  await expect(support.upload(id, parties, { bytes: never })).rejects.toMatchObject({ kind: 'conflict' })
  const others = await support.makeParties()
  await expect(support.upload(id, others, { bytes: never })).rejects.toMatchObject({ kind: 'not_found' })
})
