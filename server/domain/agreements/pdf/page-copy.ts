/**
 * Copies what the pages of a PDF draw into an empty one. A key that no shape below lists stays behind: actions, links,
 * files, scripts, forms, streams in other files, layers and metadata have none.
 */
import { constants, inflateSync } from 'node:zlib'
import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from '@libpdf/core'
import { type PdfFault, pdfBounds } from '../../../contract/forms/pdf-rules.ts'

export class PdfRefused extends Error {
  constructor(readonly fault: PdfFault) {
    super(fault)
  }
}

/** Keys, each with the shape of its value; `*` is every key. Of an array, each item has the shape. */
type Shape = Readonly<Record<string, ShapeName>>
type ShapeName = keyof typeof shapes

/** Names, numbers and texts, alone and in arrays. */
const plain = (keys: string) => Object.fromEntries(keys.split(' ').map((key) => [key, 'plain' as const]))
const coded = { Filter: 'plain', DecodeParms: 'filter' } as const

/** https://pdfa.org/resource/iso-32000-2/ — chapters 7 to 11 */
const shapes = {
  plain: {},
  data: coded,
  filter: {
    ...plain(
      'Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine Rows EncodedByteAlign EndOfBlock',
    ),
    ...plain('BlackIs1 DamagedRowsBeforeError ColorTransform'),
    JBIG2Globals: 'data',
  },
  page: {
    ...plain('MediaBox CropBox Rotate UserUnit'),
    ...{ Contents: 'data', Resources: 'resources', Group: 'group' },
  },
  resources: {
    ...{ ExtGState: 'states', ColorSpace: 'colorSpaces', Pattern: 'patterns', Shading: 'shadings' },
    ...{ XObject: 'xObjects', Font: 'fonts', Properties: 'properties' },
  },
  states: { '*': 'state' },
  colorSpaces: { '*': 'colorSpace' },
  patterns: { '*': 'pattern' },
  shadings: { '*': 'shading' },
  xObjects: { '*': 'xObject' },
  fonts: { '*': 'font' },
  /** Content names one where a layer begins; empty, it hides nothing. */
  properties: { '*': 'property' },
  property: {},
  state: { ...plain('LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK'), Font: 'font', SMask: 'softMask' },
  softMask: { ...plain('S BC'), G: 'xObject', TR: 'function' },
  group: { ...plain('S I K'), CS: 'colorSpace' },
  function: {
    ...plain('FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Bounds'),
    ...{ ...coded, Functions: 'function' },
  },
  /** Beside names, an array of dictionaries and streams: of calibration, a profile, a lookup or a function. */
  colorSpace: {
    ...plain(
      'WhitePoint BlackPoint Gamma Matrix FunctionType Domain Range Size BitsPerSample Order Encode Decode',
    ),
    ...plain('C0 C1 N Bounds'),
    ...{ ...coded, Functions: 'function', Alternate: 'colorSpace' },
  },
  pattern: {
    ...plain('PatternType PaintType TilingType BBox XStep YStep Matrix'),
    ...{ ...coded, Resources: 'resources', Shading: 'shading', ExtGState: 'state' },
  },
  shading: {
    ...plain(
      'ShadingType Background BBox AntiAlias Coords Domain Extend Matrix BitsPerCoordinate BitsPerComponent',
    ),
    ...plain('BitsPerFlag Decode VerticesPerRow'),
    ...{ ...coded, ColorSpace: 'colorSpace', Function: 'function' },
  },
  /** An image, or a form, which is a piece of page. */
  xObject: {
    ...plain(
      'Type Subtype FormType BBox Matrix Width Height BitsPerComponent Intent ImageMask Decode Interpolate',
    ),
    ...plain('SMaskInData Matte'),
    ...{ ...coded, Resources: 'resources', Group: 'group', ColorSpace: 'colorSpace' },
    ...{ Mask: 'xObject', SMask: 'xObject' },
  },
  font: {
    ...plain('Type Subtype BaseFont Name FirstChar LastChar Widths FontBBox FontMatrix DW W DW2 W2'),
    ...{ FontDescriptor: 'fontDescriptor', DescendantFonts: 'font', CIDSystemInfo: 'cidSystem' },
    ...{ Encoding: 'encoding', ToUnicode: 'encoding', CIDToGIDMap: 'data' },
    ...{ CharProcs: 'glyphs', Resources: 'resources' },
  },
  glyphs: { '*': 'data' },
  cidSystem: plain('Registry Ordering Supplement'),
  encoding: {
    ...plain('Type BaseEncoding Differences CMapName WMode'),
    ...{ ...coded, CIDSystemInfo: 'cidSystem', UseCMap: 'encoding' },
  },
  fontDescriptor: {
    ...plain(
      'Type FontName FontFamily FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent Leading',
    ),
    ...plain('CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth CharSet'),
    ...{ FontFile: 'fontFile', FontFile2: 'fontFile', FontFile3: 'fontFile' },
  },
  fontFile: { ...plain('Subtype Length1 Length2 Length3'), ...coded },
} as const satisfies Record<string, Record<string, string>>

/** https://pdfa.org/resource/iso-32000-2/ — 7.4; encryption is none of them. */
const pictureFilters = new Set(['CCITTFax', 'JBIG2', 'DCT', 'JPX'].map((each) => `${each}Decode`))
const filters = new Set([
  ...pictureFilters,
  ...['ASCIIHex', 'ASCII85', 'LZW', 'Flate', 'RunLength'].map((each) => `${each}Decode`),
])

/** @throws PdfRefused */
export function createPageCopy(source: PDF, target: PDF, bytesMax: number) {
  const copies = new Map<string, PdfRef>()
  let values = 0
  let bytes = 0
  let unpacked = 0

  /** What is missing from the file would be missing from the page. */
  function resolve(value: PdfObject): PdfObject {
    let found: PdfObject | null = value
    for (let hops = 0; found instanceof PdfRef && hops < 8; hops++) found = source.getObject(found)
    if (found === null || found instanceof PdfRef) throw new PdfRefused('damaged')
    // In a whole file no two streams share bytes.
    if (found instanceof PdfStream && found !== value) bytes += found.data.length
    if (bytes > bytesMax) throw new PdfRefused('complex')
    return found
  }

  function copy(value: PdfObject, name: ShapeName): PdfObject | null {
    if (++values > pdfBounds.valuesMax) throw new PdfRefused('complex')
    const key = value instanceof PdfRef ? `${name} ${value.objectNumber} ${value.generation}` : null
    const known = key !== null && copies.get(key)
    if (known) return known
    const from = resolve(value)
    if (!(from instanceof PdfDict) && !(from instanceof PdfArray)) return from
    if (from instanceof PdfDict && (name === 'plain' || !isDrawn(from, name))) return null
    const made =
      from instanceof PdfArray
        ? new PdfArray()
        : from instanceof PdfStream
          ? new PdfStream(new PdfDict(), from.data)
          : new PdfDict()
    // Before what is inside: that may lead back here.
    const isOwn = made instanceof PdfStream || (key !== null && name !== 'plain')
    const placed = isOwn ? target.register(made) : made
    if (key !== null && placed instanceof PdfRef) copies.set(key, placed)
    fill(made, from, name)
    if (made instanceof PdfStream) unpacked += unpackedLength(made, pdfBounds.unpackedBytesMax - unpacked)
    return placed
  }

  function fill(made: PdfArray | PdfDict, from: PdfArray | PdfDict, name: ShapeName): void {
    if (from instanceof PdfArray) {
      // An item that is not drawn keeps its place: others are found by theirs.
      for (const item of from) (made as PdfArray).push(copy(item, name) ?? new PdfDict())
      return
    }
    const keys = shapes[name] as Shape
    for (const [key, value] of from) {
      const shape = keys['*'] ?? (Object.hasOwn(keys, key.value) ? keys[key.value] : undefined)
      if (shape === undefined) continue
      const copied = copy(value, shape)
      if (key.value === 'Filter') checkFilters(copied)
      if (copied !== null) (made as PdfDict).set(key.value, copied)
    }
  }

  /** A drawing in PostScript is for printers alone, and runs there. */
  function isDrawn(dict: PdfDict, name: ShapeName): boolean {
    if (name !== 'xObject') return true
    return (
      dict instanceof PdfStream && ['Image', 'Form'].includes(dict.getName('Subtype', resolve)?.value ?? '')
    )
  }

  function checkFilters(copied: PdfObject | null): void {
    for (const each of copied instanceof PdfArray ? copied : [copied])
      if (!(each instanceof PdfName) || !filters.has(each.value)) throw new PdfRefused('damaged')
  }

  return { copy, resolve }
}

/**
 * What a viewer has to unpack before it draws; of a picture's own coding, nothing.
 * @throws PdfRefused when it is more than `max`, or can't be unpacked
 */
function unpackedLength(stream: PdfStream, max: number): number {
  const coding = stream.get('Filter')
  let { data } = stream
  for (const filter of coding instanceof PdfArray ? coding : [coding]) {
    if (!(filter instanceof PdfName) || pictureFilters.has(filter.value)) break
    data = filter.value === 'FlateDecode' ? inflate(data, max) : decode(data, filter)
    if (data.length > max) throw new PdfRefused('complex')
  }
  return data.length
}

function inflate(data: Uint8Array, max: number): Uint8Array {
  try {
    // Writers leave out the end of it, and readers do without.
    return inflateSync(data, { maxOutputLength: max, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new PdfRefused(isTooLong ? 'complex' : 'damaged')
  }
}

const decode = (data: Uint8Array, filter: PdfName) =>
  PdfStream.fromDict({ Filter: filter }, data).getDecodedData()

export type PageCopy = ReturnType<typeof createPageCopy>
