/** A document of one's own in place of our text: what is refused, and with which reason. */
import { beforeAll, expect, test } from 'vitest'
import { agreementSupport, ownPaper } from '../../../tests/support/agreements.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { fileRules } from '../../contract/forms/files.ts'
import { pdfFaults } from '../../contract/forms/pdf-faults.ts'
import { baaClauseNames } from '../../contract/workflows/agreements.ts'

let services: TestServices
const support = agreementSupport(() => services)

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
})

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
  await ofFile(ownPaper('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'), pdfFaults.scripted)
  await ofFile(ownPaper('', '/Encrypt 9 0 R'), pdfFaults.encrypted)
  await ofFile(ownPaper('/Names << /EmbeddedFiles 9 0 R >>'), pdfFaults.files)
  await ofFile(ownPaper().subarray(0, 40), pdfFaults.damaged)
  expect(await services.prisma.agreementVersion.count({ where: { agreementId: id } })).toBe(1)
})

test('is stored with its places, and read by both sides as it came', async () => {
  const parties = await support.makeParties()
  const id = await support.offerBaa(parties)
  const bytes = await support.upload(id, parties)
  const { offered } = await services.agreements.read(id, parties.owner.fresh())
  expect(offered).toMatchObject({ source: 'upload', fileName: 'Our-BAA.pdf', markdown: null, number: 2 })
  expect(Object.keys(offered.clausePlaces as object).sort()).toEqual([...baaClauseNames].sort())
  for (const reader of [parties.owner, parties.signatory])
    expect(Buffer.from((await services.agreements.readFile(id, 2, reader.fresh())).bytes)).toEqual(
      Buffer.from(bytes),
    )
  expect(await services.agreements.findOwnBaa(id)).toMatchObject({
    bySide: 'practice',
    fileName: 'Our-BAA.pdf',
  })
})

test('names are printed in a document: one that cannot be is refused', async () => {
  const parties = await support.makeParties()
  const id = await support.offerBaa(parties)
  const edit = services.agreements.edit(
    {
      ...(await support.target(id)),
      comment: 'Our name in full, please.',
      fields: support.completeBaa({ practiceLegalName: '試す医院' }),
    },
    parties.owner.fresh(),
  )
  await expect(edit).rejects.toMatchObject({ kind: 'validation', field: 'practiceLegalName' })
})
