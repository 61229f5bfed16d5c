/**
 * Copies the visible content of a PDF's pages into an empty PDF. Only the keys that the shapes below list are copied, so
 * actions, links, files, scripts, forms, streams in other files, layers and metadata are left out.
 */
import { constants, inflateSync } from 'node:zlib'
import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from '@libpdf/core'
import { type PdfFault, pdfBounds } from '../../../contract/forms/pdf-rules.ts'

export class PdfRefused extends Error {
  constructor(readonly fault: PdfFault) {
    super(fault)
  }
}

/** The keys of a dictionary with the shapes of their values; `*` is any key. Each item of an array has the shape. */
type Shape = Readonly<Record<string, ShapeName>>
type ShapeName = keyof typeof shapes

/** Keys whose values are names, numbers or texts, alone or in arrays. */
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
  /** Page content refers to these where a layer begins. An empty one hides nothing. */
  properties: { '*': 'property' },
  property: {},
  state: { ...plain('LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK'), Font: 'font', SMask: 'softMask' },
  softMask: { ...plain('S BC'), G: 'xObject', TR: 'function' },
  group: { ...plain('S I K'), CS: 'colorSpace' },
  function: {
    ...plain('FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Bounds'),
    ...{ ...coded, Functions: 'function' },
  },
  /** A name, or an array with dictionaries and streams for calibration, a profile, a lookup table or a function. */
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
  /** An image, or a form: a reusable part of a page. */
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

/** https://pdfa.org/resource/iso-32000-2/ — 7.4, without encryption. */
const imageFilters = new Set(['CCITTFax', 'JBIG2', 'DCT', 'JPX'].map((name) => `${name}Decode`))
const filters = new Set([
  ...imageFilters,
  ...['ASCIIHex', 'ASCII85', 'LZW', 'Flate', 'RunLength'].map((name) => `${name}Decode`),
])

/** @throws PdfRefused */
export function createPageCopy(source: PDF, target: PDF, bytesMax: number) {
  const copies = new Map<string, PdfRef>()
  let values = 0
  let bytes = 0
  let unpacked = 0

  /** @throws PdfRefused if the object is missing from the file, because the page would be incomplete */
  function resolve(value: PdfObject): PdfObject {
    let found: PdfObject | null = value
    for (let hops = 0; found instanceof PdfRef && hops < 8; hops++) found = source.getObject(found)
    if (found === null || found instanceof PdfRef) throw new PdfRefused('damaged')
    // Streams of a sound file don't share bytes, so their sum can't exceed the limit.
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
    const result =
      from instanceof PdfArray
        ? new PdfArray()
        : from instanceof PdfStream
          ? new PdfStream(new PdfDict(), from.data)
          : new PdfDict()
    // The copy is registered before its content, which may refer back to it.
    const isOwn = result instanceof PdfStream || (key !== null && name !== 'plain')
    const placed = isOwn ? target.register(result) : result
    if (key !== null && placed instanceof PdfRef) copies.set(key, placed)
    fill(result, from, name)
    if (result instanceof PdfStream) unpacked += unpackedLength(result, pdfBounds.unpackedBytesMax - unpacked)
    return placed
  }

  function fill(result: PdfArray | PdfDict, from: PdfArray | PdfDict, name: ShapeName): void {
    if (from instanceof PdfArray) {
      // An item that is not copied leaves an empty one, because others are found by their index.
      for (const item of from) (result as PdfArray).push(copy(item, name) ?? new PdfDict())
      return
    }
    const keys = shapes[name] as Shape
    for (const [key, value] of from) {
      const shape = keys['*'] ?? (Object.hasOwn(keys, key.value) ? keys[key.value] : undefined)
      if (shape === undefined) continue
      const copied = copy(value, shape)
      if (key.value === 'Filter') checkFilters(copied)
      if (copied !== null) (result as PdfDict).set(key.value, copied)
    }
  }

  /** PostScript objects are left out: they are programs for printers. */
  function isDrawn(dict: PdfDict, name: ShapeName): boolean {
    if (name !== 'xObject') return true
    return (
      dict instanceof PdfStream && ['Image', 'Form'].includes(dict.getName('Subtype', resolve)?.value ?? '')
    )
  }

  function checkFilters(copied: PdfObject | null): void {
    for (const filter of copied instanceof PdfArray ? copied : [copied])
      if (!(filter instanceof PdfName) || !filters.has(filter.value)) throw new PdfRefused('damaged')
  }

  return { copy, resolve }
}

/**
 * The size of a stream once a viewer has unpacked it, without decoding images.
 * @throws PdfRefused if it is larger than `max`, or can't be unpacked
 */
function unpackedLength(stream: PdfStream, max: number): number {
  const coding = stream.get('Filter')
  let { data } = stream
  for (const filter of coding instanceof PdfArray ? coding : [coding]) {
    if (!(filter instanceof PdfName) || imageFilters.has(filter.value)) break
    data = filter.value === 'FlateDecode' ? inflate(data, max) : decode(data, filter)
    if (data.length > max) throw new PdfRefused('complex')
  }
  return data.length
}

function inflate(data: Uint8Array, max: number): Uint8Array {
  try {
    // Some writers leave out the end of the stream, and viewers accept that.
    return inflateSync(data, { maxOutputLength: max, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new PdfRefused(isTooLong ? 'complex' : 'damaged')
  }
}

const decode = (data: Uint8Array, filter: PdfName) =>
  PdfStream.fromDict({ Filter: filter }, data).getDecodedData()

export type PageCopy = ReturnType<typeof createPageCopy>
