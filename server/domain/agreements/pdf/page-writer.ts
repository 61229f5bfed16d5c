/**
 * Writes Letter pages with our typeface: headings, paragraphs, lists and tables. The same input gives the same bytes,
 * because the only date in them is the one in the options.
 */

import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'
import { LRUCache } from 'lru-cache'
import PDFDocument from 'pdfkit'

export type Run = Readonly<{ text: string; font: FontName }>

const margin = 64
const footerHeight = 34
const ink = '#1c2430'
const faint = '#5b6675'
const rule = '#c9d0d8'
const size = 10.5

export type PageWriter = ReturnType<typeof createPageWriter>

type Options = {
  title: string
  /** The only date in the file. */
  at: Date
  /** The text at the bottom of every page, before its number. */
  footer: string
}

export function createPageWriter({ title, at, footer }: Options) {
  const doc = new PDFDocument({
    size: 'LETTER',
    margins: { top: margin, left: margin, right: margin, bottom: margin + footerHeight },
    bufferPages: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: title, Author: 'Sandpiper', Producer: 'Sandpiper', CreationDate: at, ModDate: at },
  })
  const fonts = documentFonts()
  for (const name of Object.keys(fonts) as FontName[]) doc.registerFont(name, fonts[name] as never)
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const width = doc.page.width - 2 * margin

  function heading(text: string, level: number): void {
    const sizes = [19, 13, 11.5] as const
    keepTogether(70)
    if (doc.y > margin) doc.moveDown(level === 1 ? 0.4 : 0.7)
    doc
      .font('bold', sizes[Math.min(level, 3) - 1])
      .fillColor(ink)
      .text(text, margin, doc.y, { width })
    doc.moveDown(0.35)
  }

  function paragraph(runs: readonly Run[], { indent = 0, bullet = '' } = {}): void {
    keepTogether(30)
    if (bullet !== '') {
      const top = doc.y
      doc.font('regular', size).fillColor(faint)
      doc.text(bullet, margin + indent - 22, top, { width: 18, lineGap: 2, align: 'right' })
      doc.y = top
    }
    write(runs, { x: margin + indent, width: width - indent })
    doc.moveDown(bullet === '' ? 0.55 : 0.3)
  }

  /** Rows with a label and a value. */
  function facts(rows: readonly (readonly [Run[], Run[]])[]): void {
    const first = 150
    for (const [label, value] of rows) {
      const height = Math.max(heightOf(label, first - 10), heightOf(value, width - first))
      keepTogether(height + 8)
      const top = doc.y
      write(label, { x: margin, width: first - 10, color: faint })
      doc.y = top
      write(value, { x: margin + first, width: width - first })
      doc.y = top + height + 4
      doc
        .moveTo(margin, doc.y)
        .lineTo(margin + width, doc.y)
        .lineWidth(0.5)
        .strokeColor(rule)
        .stroke()
      doc.y += 4
    }
    doc.moveDown(0.5)
  }

  function write(
    runs: readonly Run[],
    { x, width: wide, color = ink }: { x: number; width: number; color?: string },
  ): void {
    const shown = runs.length > 0 ? runs : [{ text: ' ', font: 'regular' as const }]
    for (const [place, { text, font }] of shown.entries()) {
      const options = { width: wide, lineGap: 2, continued: place < shown.length - 1 }
      doc.font(font, size).fillColor(color)
      if (place === 0) doc.text(text, x, doc.y, options)
      else doc.text(text, options)
    }
  }

  function heightOf(runs: readonly Run[], wide: number): number {
    doc.font('regular', size)
    const text = runs.map((run) => run.text).join('') || ' '
    // Bold text is a little wider than the regular text measured here.
    return doc.heightOfString(text, {
      width: wide * (runs.some(({ font }) => font === 'bold') ? 0.94 : 1),
      lineGap: 2,
    })
  }

  /** Starts a new page if less than this height is left. */
  function keepTogether(height: number): void {
    if (doc.y + height > doc.page.height - margin - footerHeight) doc.addPage()
  }

  /** Attaches a file unchanged. */
  function attach(name: string, bytes: Uint8Array, description: string): void {
    doc.file(Buffer.from(bytes), {
      name,
      description,
      type: 'application/pdf',
      creationDate: at,
      modifiedDate: at,
    } as never)
  }

  async function finish(): Promise<Uint8Array> {
    const { count } = doc.bufferedPageRange()
    for (let number = 0; number < count; number += 1) {
      doc.switchToPage(number)
      // The footer is below the margin, where text would otherwise start another page.
      doc.page.margins.bottom = 0
      const y = doc.page.height - margin
      doc.font('regular', 8).fillColor(faint)
      doc.text(footer, margin, y, { width: width - 80, lineBreak: false, ellipsis: true })
      doc.text(`Page ${number + 1} of ${count}`, margin, y, { width, align: 'right', lineBreak: false })
    }
    const ended = new Promise<void>((resolve, reject) => {
      doc.on('end', resolve)
      doc.on('error', reject)
    })
    doc.end()
    await ended
    return new Uint8Array(Buffer.concat(chunks))
  }

  return { heading, paragraph, facts, newPage: () => void doc.addPage(), attach, finish }
}

// Documents embed complete typefaces, Source Sans 3, so that names keep their diacritics.

const family = '@expo-google-fonts/source-sans-3'
const files = {
  regular: `${family}/400Regular/SourceSans3_400Regular.ttf`,
  bold: `${family}/600SemiBold/SourceSans3_600SemiBold.ttf`,
  italic: `${family}/400Regular_Italic/SourceSans3_400Regular_Italic.ttf`,
} as const
export type FontName = keyof typeof files

let opened: Readonly<Record<FontName, Font>> | null = null

/** Opened with the first document and shared: reading a typeface's tables takes longer than writing a document. */
function documentFonts(): Readonly<Record<FontName, Font>> {
  const { resolve } = createRequire(import.meta.url)
  opened ??= {
    regular: withLayoutCache(openSync(resolve(files.regular)) as Font),
    bold: withLayoutCache(openSync(resolve(files.bold)) as Font),
    italic: withLayoutCache(openSync(resolve(files.italic)) as Font),
  }
  return opened
}

/** Whether every character of a text has a glyph, except line breaks. */
export function canDraw(text: string): boolean {
  const { regular } = documentFonts()
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point !== 10 && !regular.hasGlyphForCodePoint(point)) return false
  }
  return true
}

/** Caches how words are set, because documents repeat them. Callers scale the positions, so each gets a copy. */
function withLayoutCache(font: Font): Font {
  const words = new LRUCache<string, ReturnType<Font['layout']>>({ max: 5_000 })
  const layout: Font['layout'] = (text, ...rest) => {
    if (typeof text !== 'string' || rest.some((option) => option !== undefined))
      return font.layout(text, ...rest)
    const run = words.get(text) ?? font.layout(text)
    words.set(text, run)
    const copy = Object.assign(Object.create(Object.getPrototypeOf(run)), run)
    copy.positions = run.positions.map((position) => ({ ...position }))
    return copy
  }
  return Object.create(font, { layout: { value: layout } })
}
