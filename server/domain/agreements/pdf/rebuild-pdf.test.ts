/** What is left of a PDF that somebody uploads, and that nobody waits for one that is hard to read. */
import { deflateSync } from 'node:zlib'
import { PDF, PdfStream } from '@libpdf/core'
import PDFDocument from 'pdfkit'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { longTest, slice } from '../../../../tests/support/slice.ts'
import { pdfBounds, pdfBusy } from '../../../contract/forms/pdf-rules.ts'
import { rebuild } from './rebuild.ts'
import { rebuildPdf } from './rebuild-pdf.ts'

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
  const size = () => chunks.reduce((sum, { length }) => sum + length, 0)
  for (const [index, part] of parts.entries()) {
    offsets.push(size())
    const head =
      typeof part === 'string' ? part : `<< ${part.dictionary} /Length ${part.data.length} >>\nstream\n`
    const body = typeof part === 'string' ? [] : [part.data, Buffer.from('\nendstream')]
    chunks.push(Buffer.from(`${index + 1} 0 obj\n${head}`), ...body, Buffer.from('\nendobj\n'))
  }
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const count = parts.length + 1
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${size()}\n%%EOF\n`
  return Buffer.concat([...chunks, Buffer.from(end)])
}

/** The same objects, each but streams in one stream of objects, with a table that is a stream, too. */
function packed(parts: readonly Part[], padding: Buffer = Buffer.alloc(0)): Buffer {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const size = () => chunks.reduce((sum, { length }) => sum + length, 0)
  const entries: (readonly [kind: number, place: number, index: number])[] = [[0, 0, 0]]
  const texts: string[] = []
  const numbers: number[] = []
  const holder = parts.length + 1
  const write = (number: number, dictionary: string, data: Buffer) => {
    chunks.push(
      Buffer.from(`${number} 0 obj\n<< ${dictionary} /Length ${data.length} >>\nstream\n`),
      ...[data, Buffer.from('\nendstream\nendobj\n')],
    )
  }
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      entries.push([2, holder, texts.push(part) - 1])
      numbers.push(index + 1)
    } else {
      entries.push([1, size(), 0])
      write(index + 1, part.dictionary, part.data)
    }
  }
  let offset = 0
  const head = texts.map((text, at) => {
    const place = `${numbers[at]} ${offset} `
    offset += text.length + 1
    return place
  })
  entries.push([1, size(), 0])
  const first = head.join('').length
  const text = head.join('') + texts.map((each) => `${each} `).join('')
  const inside = deflateSync(Buffer.concat([Buffer.from(text), padding]))
  write(holder, `/Type /ObjStm /N ${texts.length} /First ${first} /Filter /FlateDecode`, inside)
  const start = size()
  entries.push([1, start, 0])
  const table = Buffer.concat(
    entries.map(([kind, place, index]) => {
      const entry = Buffer.alloc(7)
      entry.writeUInt8(kind, 0)
      entry.writeUInt32BE(place, 1)
      entry.writeUInt16BE(index, 5)
      return entry
    }),
  )
  write(holder + 1, `/Type /XRef /Size ${entries.length} /W [1 4 2] /Root 1 0 R`, table)
  return Buffer.concat([...chunks, Buffer.from(`startxref\n${start}\n%%EOF\n`)])
}

const plain: Part[] = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 200] /Resources << /Font << /F 5 0 R >> >> >>',
  '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Rotate 90 >>',
  { dictionary: '', data: Buffer.from('BT /F 12 Tf 20 100 Td (Section 1) Tj ET') },
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
]

/** What is stored: every name and text of it, with all streams unpacked. */
async function stored(file: Uint8Array): Promise<{ bytes: Uint8Array; text: string }> {
  const rebuilt = await rebuild(file)
  if (!('bytes' in rebuilt)) throw new Error(rebuilt.fault)
  const { bytes } = rebuilt
  const document = await PDF.load(bytes)
  const texts = [Buffer.from(bytes).toString('latin1')]
  for (let number = 1; number < 200; number++) {
    const object = document.context.registry.resolve({ objectNumber: number, generation: 0 } as never)
    if (object instanceof PdfStream) texts.push(Buffer.from(object.getDecodedData()).toString('latin1'))
  }
  return { bytes, text: texts.join('\n') }
}

/** https://pdfa.org/resource/iso-32000-2/ — table 201, with what each needs to do something. */
const actions = {
  GoTo: '/D [3 0 R /Fit]',
  GoToR: '/F (\\\\\\\\evil.example\\\\share\\\\mark.pdf) /D [0 /Fit]',
  GoToE: '/F (mark.pdf) /T << /R /C /N (mark.pdf) >> /D [0 /Fit]',
  GoToDp: '/Dp << /Type /DPart >>',
  Launch: '/F (mark.exe)',
  Thread: '/F (mark.pdf) /D 0',
  URI: '/URI (https://mark.example/)',
  Sound: '/Sound 8 0 R',
  Movie: '/T (mark) /Operation /Play',
  Hide: '/T (mark) /H true',
  Named: '/N /Print',
  SubmitForm: '/F (https://mark.example/) /Fields [(mark)]',
  ResetForm: '/Fields [(mark)]',
  ImportData: '/F (mark.fdf)',
  SetOCGState: '/State [/OFF 9 0 R]',
  Rendition: '/OP 0 /R << /S /MR /C << /S /MCD /D (mark.mp4) >> >> /JS (mark)',
  Trans: '/Trans << /S /Dissolve >>',
  GoTo3DView: '/TA 7 0 R /V /F',
  RichMediaExecute: '/TA 7 0 R /CMD << /C (mark) >>',
  JavaScript: '/JS (app.alert\\("mark"\\))',
}

function acting(kind: keyof typeof actions): Part[] {
  const action = `<< /Type /Action /S /${kind} ${actions[kind]} >>`
  const [, pages = '', , content = '', font = ''] = plain
  return [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction ${action} /AA << /WC ${action} >> /Outlines 6 0 R /URI << /Base (https://mark.example/) >>
       /Names << /JavaScript << /Names [(a) ${action}] >> /EmbeddedFiles << /Names [(mark.txt) << /Type /Filespec /EF << /F 8 0 R >> >>] >> >>
       /AcroForm << /Fields [7 0 R] /XFA 8 0 R >> /OCProperties << /OCGs [9 0 R] >> /Metadata 8 0 R /AF [8 0 R] >>`,
    pages,
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /AA << /O ${action} >> /Annots [7 0 R] /PieceInfo << /Mark 8 0 R >> /Metadata 8 0 R >>`,
    ...[content, font],
    `<< /Type /Outlines /First 10 0 R /Last 10 0 R /Count 1 >>`,
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (mark) /Rect [0 0 100 100] /A ${action} /AA << /E ${action} >>
       /AP << /N 11 0 R >> /MK << /CA (mark) >> >>`,
    { dictionary: '/Type /EmbeddedFile', data: Buffer.from('mark') },
    '<< /Type /OCG /Name (mark) >>',
    `<< /Title (mark) /Parent 6 0 R /A ${action} >>`,
    {
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 50 50] /OC 9 0 R /Metadata 8 0 R /PieceInfo 8 0 R /AF [8 0 R]
        /Ref << /F (mark.pdf) /Page 0 >> /OPI << /2.0 << /F (mark.tif) >> >> /F (mark.bin) /FFilter /FlateDecode
        /Resources << /XObject << /I 12 0 R /P 13 0 R >> >>`,
      data: Buffer.from('0 0 20 20 re f /I Do /P Do'),
    },
    {
      dictionary: `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8
        /Alternates [<< /Image 12 0 R /OC 9 0 R >>] /OPI 8 0 R /Metadata 8 0 R /OC 9 0 R`,
      data: Buffer.from([0]),
    },
    { dictionary: '/Type /XObject /Subtype /PS', data: Buffer.from('(mark) print') },
  ]
}

describe('of the actions of ISO 32000-2', () => {
  test.each(slice(Object.keys(actions) as (keyof typeof actions)[], 5))('%s is not stored', async (kind) => {
    for (const file of [made(acting(kind)), packed(acting(kind))]) {
      expect(file.includes('/OpenAction')).toBe(!file.includes('/ObjStm'))
      const { bytes, text } = await stored(file)
      expect(text).not.toMatch(
        new RegExp(
          `mark|/S */${kind}\\b|/(?:A|AA|Action|OpenAction|Outlines|Annots|Names|AcroForm|OC|OPI|Ref|PS)\\b|/F *[(<]`,
        ),
      )
      expect(text).toContain('Section 1')
      const shown = await getDocumentProxy(new Uint8Array(bytes))
      expect([await shown.getJSActions(), await shown.getAttachments(), await shown.getOutline()]).toEqual([
        ...[null, null, null],
      ])
      expect(await (await shown.getPage(1)).getAnnotations()).toEqual([])
    }
  })
})

describe('of an ordinary document', () => {
  test('every page is stored with its text, fonts, pictures and size', async () => {
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const file = await drawn({ info: { Title: 'mark' } }, (document) => {
      document.text('Our site', { link: 'https://mark.example/' })
      document.image(pixel, 100, 300, { width: 40 })
      document.linearGradient(0, 0, 100, 100).stop(0, 'red').stop(1, 'blue')
      document.rect(0, 0, 100, 100).fillOpacity(0.5).fill('green')
      document.outline.addItem('mark')
      document.addPage({ size: 'A4', layout: 'landscape' }).text('Second page')
    })
    const { bytes, text } = await stored(file)
    expect(text).not.toMatch(/mark|Annot|Info/)
    expect(text).toMatch(/\/SMask/)
    const shown = await getDocumentProxy(new Uint8Array(bytes))
    expect((await extractText(shown)).text).toEqual([
      'Business associate agreement between Testwell and Samplewood.\nOur site',
      'Second page',
    ])
    expect((await shown.getPage(2)).view).toEqual([0, 0, 841.89, 595.28])
  })

  test('what a page inherits and what lies on it is drawn, and what is hidden there is not', async () => {
    const { text } = await stored(made(acting('URI')))
    expect(text).toContain('/MediaBox [0 0 200 200]')
    // The appearance of 50 by 50 fills the field of 100 by 100.
    expect(text).toContain('q 2.00000 0.00000 0.00000 2.00000 0.00000 0.00000 cm /SandpiperAnnotation0 Do Q')
    expect(text).toContain('0 0 20 20 re f')
    const hidden = acting('URI').map((part) =>
      typeof part === 'string' ? part.replace('/FT /Btn', '/FT /Btn /F 2') : part,
    )
    expect((await stored(made(hidden))).text).not.toContain('20 20 re f')
  })
})

/** More than the streams of a document may unpack to. */
const blank = Buffer.alloc(pdfBounds.unpackedBytesMax + 1)

function unpacking(data: Buffer, times = 1): Buffer {
  const dictionary = `/Filter [${'/FlateDecode '.repeat(times)}]`
  return made(plain.map((part) => (typeof part === 'string' ? part : { dictionary, data })))
}

describe('refused', () => {
  const over = Array.from({ length: pdfBounds.pagesMax + 1 }, (_, at) => `${at + 3} 0 R`)
  /** A text of one value that stands for a million. */
  const doubled = Array.from({ length: 24 }, (_, at) => `[${at + 7} 0 R ${at + 7} 0 R]`)
  test.each([
    ['encrypted', 'with a password to open it', () => drawn({ userPassword: 'open', ownerPassword: 'own' })],
    [
      'encrypted',
      'for printing only',
      () =>
        drawn({ ownerPassword: 'own', permissions: { printing: 'lowResolution' }, pdfVersion: '1.7ext3' }),
    ],
    ['damaged', 'a head alone', () => Buffer.from('%PDF-1.7\n')],
    ['damaged', 'a text that begins as one', () => Buffer.from('%PDF-1.7 this is a letter')],
    [
      'damaged',
      'without a page',
      () => made(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] >>']),
    ],
    ['damaged', 'pages in a circle', () => made([plain[0] ?? '', '<< /Type /Pages /Kids [2 0 R] >>'])],
    ['damaged', 'without what a page draws', () => made(plain.slice(0, 4))],
    [
      'damaged',
      'encrypted by a filter',
      () =>
        made(
          plain.map((part) => (typeof part === 'string' ? part : { ...part, dictionary: '/Filter /Crypt' })),
        ),
    ],
    ['damaged', 'cut in half', () => made(plain).subarray(0, -120)],
    ['damaged', 'a stream that can’t be unpacked', () => unpacking(Buffer.from('no zlib'))],
    ['complex', 'a page that unpacks to too much', () => unpacking(deflateSync(blank))],
    ['complex', 'a page that unpacks twice', () => unpacking(deflateSync(deflateSync(blank)), 2)],
    ['damaged', 'nested ten thousand times', () => made([plain[0] ?? '', '['.repeat(10_000)])],
    [
      'long',
      'more pages than a contract has',
      () => made([plain[0] ?? '', `<< /Kids [${over.join(' ')}] >>`, ...over.map(() => '<< /Type /Page >>')]),
    ],
    [
      'complex',
      'a few objects that stand for millions',
      () =>
        made([...plain.slice(0, 2), '<< /Type /Page /MediaBox 6 0 R >>', ...plain.slice(3), ...doubled, '1']),
    ],
  ] as const)('%s: %s', async (fault, _name, file) => {
    expect(await rebuild(await file())).toEqual({ fault })
  })
})

/** A page in a stream of objects that unpacks to half a gigabyte. */
const bomb = memoize(() => {
  const unpacked = Buffer.alloc(500_000_000)
  const file = packed(
    ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] >>', '<<>>'],
    unpacked,
  )
  expect(file.length).toBeLessThan(600_000)
  return file
})

function memoize<T>(make: () => T): () => T {
  const values: T[] = []
  return () => values[0] ?? (values[values.push(make()) - 1] as T)
}

/** Every object of the page is the same nine megabytes of the file. */
function overlapping(): Buffer {
  const names = Array.from({ length: 2_000 }, (_, at) => `/X${at} ${at + 5} 0 R`)
  const page = `<< /Type /Page /Resources << /XObject << ${names.join(' ')} >> >> >>`
  const file = made([
    ...plain.slice(0, 2),
    page,
    { dictionary: '/Subtype /Form', data: Buffer.alloc(9_000_000, 'a') },
  ])
  const place = String(file.indexOf('4 0 obj')).padStart(10, '0')
  const end = file.subarray(file.lastIndexOf('xref\n0 5')).toString()
  const table = end
    .replace('0 5', '0 2005')
    .replace('trailer', `${`${place} 00000 n \n`.repeat(2_000)}trailer`)
  return Buffer.concat([file.subarray(0, file.length - end.length), Buffer.from(table)])
}

/** A table of two billion entries of no bytes each. */
const endlessTable = () => {
  const table =
    '6 0 obj\n<< /Type /XRef /Size 2147483647 /W [0 0 0] /Index [0 2147483647] /Root 1 0 R /Length 1 >>'
  return `%PDF-1.7\n${table}\nstream\n0\nendstream\nendobj\nstartxref\n9\n%%EOF\n`
}

describe('in a process of its own', () => {
  test('a document is rebuilt, and one at a time of a person', async () => {
    const first = rebuildPdf(made(plain), 'robin')
    await expect(rebuildPdf(made(plain), 'robin')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await first).toEqual({ bytes: expect.any(Uint8Array) })
    expect(await rebuildPdf(made(plain), 'robin')).toEqual({ bytes: expect.any(Uint8Array) })
  })

  const slow = [
    [
      'a million texts that never end',
      ['damaged', 'complex'],
      () => `%PDF-1.7\n${'1 0 obj ('.repeat(900_000)}`,
    ],
    ['half a megabyte that unpacks to half a gigabyte', ['complex'], bomb],
    ['a file whose objects are all the same bytes', ['complex'], overlapping],
    ['a table that takes more memory than there is', ['complex'], endlessTable],
  ] as const
  test.each(slice(slow, 1))('nobody waits for %s', async (_name, faults, make) => {
    const file = Buffer.from(make())
    const memory = process.memoryUsage.rss()
    let memoryMost = 0
    let pauseMost = 0
    let last = performance.now()
    const begin = last
    const turns = setInterval(() => {
      const now = performance.now()
      pauseMost = Math.max(pauseMost, now - last)
      memoryMost = Math.max(memoryMost, process.memoryUsage.rss() - memory)
      last = now
    }, 5)

    const rebuilt = await rebuildPdf(file, 'robin')

    clearInterval(turns)
    // Where the machine is busy, its time is over before its fault is found.
    expect(faults).toContain('fault' in rebuilt && rebuilt.fault)
    expect(performance.now() - begin).toBeLessThan(pdfBounds.milliseconds + 10_000)
    // All of it is waited for at once where this thread does the work.
    expect(pauseMost).toBeLessThan((performance.now() - begin) / 2)
    expect(memoryMost).toBeLessThan(2 * pdfBounds.memoryMegabytes * 1_048_576)
  })

  longTest('documents of more people than there are places wait for their turn', async () => {
    const people = Array.from({ length: pdfBounds.atOnce + pdfBounds.waitingMax }, (_, at) => `person ${at}`)
    const all = people.map((person) => rebuildPdf(made(plain), person))
    await expect(rebuildPdf(made(plain), 'one more')).rejects.toMatchObject({
      ...{ kind: 'unavailable', field: 'file', message: pdfBusy },
    })
    expect(await Promise.all(all)).toEqual(people.map(() => ({ bytes: expect.any(Uint8Array) })))
  })

  test('what takes too long is ended', async () => {
    const bounds = { ...pdfBounds, milliseconds: 50 }
    expect(await rebuildPdf(Buffer.from(endlessTable()), 'robin', bounds)).toEqual({ fault: 'complex' })
  })
})
