/** Rebuilds a PDF from the content of its pages and the appearance of their annotations. */
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream } from '@libpdf/core'
import { pdfBounds } from '../../../contract/forms/pdf-rules.ts'
import { createPageCopy, type PageCopy, PdfRefused } from './page-copy.ts'
import type { Rebuilt } from './rebuild-pdf.ts'

const letter = [0, 0, 612, 792]
const hiddenFlags = 2 | 32

/** Must run in a separate process, because its time is not limited. */
export async function rebuild(file: Uint8Array): Promise<Rebuilt> {
  try {
    return { bytes: await redraw(file) }
  } catch (thrown) {
    if (thrown instanceof PdfRefused) return { fault: thrown.fault }
    // The library’s own errors mean that the file is encrypted, damaged or nested too deeply.
    return { fault: hasEncryption(file) ? 'encrypted' : 'damaged' }
  }
}

async function redraw(file: Uint8Array): Promise<Uint8Array> {
  const source = await PDF.load(file)
  if (source.isEncrypted) throw new PdfRefused('encrypted')
  // The library recovers damaged files in part, but then people would sign only a part of the contract.
  if (source.recoveredViaBruteForce) throw new PdfRefused(hasEncryption(file) ? 'encrypted' : 'damaged')
  const target = PDF.create()
  // The library's Info has its name and the current time.
  target.context.info.trailer.delete('Info')
  const copy = createPageCopy(source, target, 2 * file.length)
  for (const page of pagesOf(source, copy)) target.insertPage(-1, copyPage(page, copy))
  if (target.getPageCount() === 0) throw new PdfRefused('damaged')
  return target.save()
}

/** The pages with their inherited attributes. https://pdfa.org/resource/iso-32000-2/ — 7.7.3 */
function pagesOf(source: PDF, { resolve }: PageCopy): PdfDict[] {
  const pages: PdfDict[] = []
  const seen = new Set<PdfObject>()
  const visit = (value: PdfObject | undefined, inherited: readonly (readonly [string, PdfObject])[]) => {
    const node = value && resolve(value)
    if (!(node instanceof PdfDict) || seen.has(node)) throw new PdfRefused('damaged')
    seen.add(node)
    const attributes = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].flatMap((key) => {
      const found = node.get(key)
      return found === undefined ? [] : [[key, found] as const]
    })
    const kids = node.get('Kids', resolve)
    if (kids instanceof PdfArray) {
      for (const kid of kids) visit(kid, [...inherited, ...attributes])
      return
    }
    for (const [key, found] of inherited) if (!attributes.some(([name]) => name === key)) node.set(key, found)
    if (pages.push(node) > pdfBounds.pagesMax) throw new PdfRefused('long')
  }
  visit(source.getCatalog().get('Pages'), [])
  return pages
}

function copyPage(page: PdfDict, { copy, resolve }: PageCopy): PdfDict {
  drawAnnotations(page, resolve)
  const copied = copy(page, 'page') as PdfDict
  copied.set('Type', PdfName.of('Page'))
  if (!copied.has('MediaBox')) copied.set('MediaBox', new PdfArray(letter.map((side) => PdfNumber.of(side))))
  return copied
}

/** Filled fields, stamps and comments are visible, so their appearance is added to the page's content. */
function drawAnnotations(page: PdfDict, resolve: PageCopy['resolve']): void {
  const annotations = page.get('Annots', resolve)
  if (!(annotations instanceof PdfArray)) return
  const resources = toDict(page.get('Resources', resolve)).clone()
  const forms = toDict(resources.get('XObject', resolve)).clone()
  const drawing: string[] = []
  for (const annotation of annotations) {
    const drawn = appearanceOf(toDict(resolve(annotation)), resolve)
    if (drawn === null) continue
    const name = `SandpiperAnnotation${drawing.length}`
    forms.set(name, drawn.form)
    drawing.push(`q ${drawn.matrix.map((value) => value.toFixed(5)).join(' ')} cm /${name} Do Q`)
  }
  if (drawing.length === 0) return
  const contents = page.get('Contents', resolve)
  const before = contents instanceof PdfArray ? [...contents] : contents === undefined ? [] : [contents]
  const content = (text: string) => new PdfStream(new PdfDict(), Buffer.from(text))
  page.set('Contents', new PdfArray([content('q\n'), ...before, content(`\nQ\n${drawing.join('\n')}\n`)]))
  resources.set('XObject', forms)
  page.set('Resources', resources)
}

/** https://pdfa.org/resource/iso-32000-2/ — 12.5.5, algorithm “appearance streams”. Null if it is not visible. */
function appearanceOf(annotation: PdfDict, resolve: PageCopy['resolve']) {
  if (annotation.getName('Subtype', resolve)?.value === 'Popup') return null
  if (((annotation.getNumber('F', resolve)?.value ?? 0) & hiddenFlags) !== 0) return null
  const normal = toDict(annotation.get('AP', resolve)).get('N', resolve)
  const state = annotation.getName('AS', resolve)?.value ?? ''
  const form = normal instanceof PdfStream ? normal : toDict(normal).get(state, resolve)
  if (!(form instanceof PdfStream)) return null
  form.set('Subtype', PdfName.of('Form'))
  const numbers = (dict: PdfDict, key: string, count: number) => {
    const items = [...(dict.getArray(key, resolve) ?? [])].map((item) => resolve(item))
    const found = items.flatMap((item) => (item instanceof PdfNumber ? [item.value] : []))
    return found.length === count ? found : null
  }
  const rect = numbers(annotation, 'Rect', 4)
  const box = numbers(form, 'BBox', 4)
  if (!rect || !box) return null
  const [a, b, c, d, e, f] = (numbers(form, 'Matrix', 6) ?? [1, 0, 0, 1, 0, 0]) as Six
  const [x1, y1, x2, y2] = box as Four
  const corners = [
    [x1, y1],
    [x2, y1],
    [x1, y2],
    [x2, y2],
  ] as const
  const [left, width] = extent(corners.map(([x, y]) => a * x + c * y + e))
  const [bottom, height] = extent(corners.map(([x, y]) => b * x + d * y + f))
  const [toLeft, toWidth] = extent([rect[0], rect[2]] as number[])
  const [toBottom, toHeight] = extent([rect[1], rect[3]] as number[])
  if (width === 0 || height === 0) return null
  const [sx, sy] = [toWidth / width, toHeight / height]
  return { form, matrix: [sx, 0, 0, sy, toLeft - left * sx, toBottom - bottom * sy] }
}

type Four = [number, number, number, number]
type Six = [number, number, number, number, number, number]

function extent(values: readonly number[]): [from: number, length: number] {
  const from = Math.min(...values)
  return [from, Math.max(...values) - from]
}

function toDict(value: PdfObject | undefined): PdfDict {
  return value instanceof PdfDict ? value : new PdfDict()
}

function hasEncryption(file: Uint8Array): boolean {
  return Buffer.from(file.buffer, file.byteOffset, file.length).includes('/Encrypt')
}
