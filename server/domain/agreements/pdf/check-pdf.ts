/**
 * What a PDF holds that a document to sign must not: encryption, scripts, other files. It is read for that alone, and
 * never drawn or converted. What cannot be read is refused as well.
 */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { PdfFault } from '../../../contract/forms/pdf-faults.ts'
import { type Budget, PdfUnreadable, readNames, readObjects } from './pdf-objects.ts'

const unzip = promisify(inflate)

/** Over all object streams of a file. */
const inflatedBytesMax = 64_000_000
/** An object is read once in an ordinary file; those of an attack lie inside one another. */
const readings = 3
const spareBytes = 1_000_000

/** Actions that run a script or a program, load something or send something; each names itself so. */
const acting = ['JavaScript', 'Launch', 'ImportData', 'SubmitForm', 'RichMedia', 'Rendition', 'XFA']
const holdingFiles = ['EmbeddedFile', 'EmbeddedFiles', 'GoToE']
const wanted = new Set([...acting, ...holdingFiles, 'Encrypt', 'Catalog', 'Pages'])

/** @returns null for a file that can be signed */
export async function findPdfFault(file: Uint8Array): Promise<PdfFault | null> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const found = namesIn(bytes)
  const has = (names: readonly string[]) => names.some((name) => found.has(name))
  // Object streams could not be read.
  if (has(['Encrypt'])) return 'encrypted'
  try {
    for await (const content of objectStreams(bytes)) for (const name of namesIn(content)) found.add(name)
  } catch (thrown) {
    if (thrown instanceof PdfUnreadable) return 'unreadable'
    throw thrown
  }
  if (has(['Encrypt'])) return 'encrypted'
  if (has(acting)) return 'scripted'
  if (has(holdingFiles)) return 'files'
  const isWhole = found.has('Catalog') && found.has('Pages') && bytes.includes('startxref')
  return isWhole ? null : 'damaged'
}

function namesIn(bytes: Buffer): Set<string> {
  return new Set([...readNames(bytes)].filter((name) => wanted.has(name)))
}

/** @throws PdfUnreadable */
async function* objectStreams(bytes: Buffer): AsyncGenerator<Buffer> {
  const budget: Budget = { bytes: readings * bytes.length + spareBytes }
  let left = inflatedBytesMax
  for (const { names, stream } of readObjects(bytes, budget)) {
    if (stream === null || !isObjectStream(names)) continue
    const content = await contentOf(names, bytes, stream, left)
    left -= content.length
    yield content
  }
}

/** Its type may be left out or be somewhere else; readers go by the two numbers. */
function isObjectStream(names: readonly string[]): boolean {
  return names.includes('ObjStm') || (names.includes('N') && names.includes('First'))
}

/** Compressed by Flate alone, or not at all: nothing else is usual. */
async function contentOf(
  names: readonly string[],
  bytes: Buffer,
  from: number,
  outputBytesMax: number,
): Promise<Buffer> {
  const end = bytes.indexOf('endstream', from)
  const data = bytes.subarray(from, end < 0 ? bytes.length : end)
  if (names.some((name) => ['F', 'FFilter', 'DecodeParms', 'DP'].includes(name))) throw new PdfUnreadable()
  if (!names.includes('Filter')) return data
  const filters = names.filter((name) => /Decode$|^(?:AHx|A85|LZW|Fl|RL|Crypt)$/.test(name))
  if (filters.length !== 1 || filters[0] !== 'FlateDecode') throw new PdfUnreadable()
  try {
    return await unzip(data, { maxOutputLength: Math.max(1, outputBytesMax) })
  } catch {
    throw new PdfUnreadable()
  }
}
