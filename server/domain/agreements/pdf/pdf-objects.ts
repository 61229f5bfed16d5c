/**
 * The objects of a PDF as far as a check needs them (ISO 32000-1, 7.2 and 7.3). Every place where an object could begin
 * is read, also inside streams and whatever the cross-reference table says: readers of damaged files look there, too.
 */

type PdfObject = Readonly<{
  /** Of its dictionaries, decoded. */
  names: readonly string[]
  /** Where the data of its stream begins; null: it has none. */
  stream: number | null
}>

/** The file is nested wrongly, or asks for more work than its size explains: readers may see another file than this. */
export class PdfUnreadable extends Error {}

/** What may still be read, over all objects of a file. */
export type Budget = { bytes: number }

const code = (character: string) => character.charCodeAt(0)
const whitespace = new Set([0, 9, 10, 12, 13, 32])
const delimiters = new Set([...'()<>[]{}/%'].map(code))
const isRegular = (byte: number | undefined) =>
  byte !== undefined && !whitespace.has(byte) && !delimiters.has(byte)
const isDigit = (byte: number) => byte >= code('0') && byte <= code('9')

/** Words that end an object, and so never stand inside a dictionary. */
const endings = new Set(['endobj', 'endstream', 'obj', 'startxref', 'stream', 'trailer', 'xref'])

/** Every name in the bytes, wherever it is: `/J#53` is `JS`. */
export function* readNames(bytes: Buffer): Generator<string> {
  for (const [, name = ''] of bytes.toString('latin1').matchAll(/\/([^\0\t\n\f\r ()<>[\]{}/%]{1,127})/g))
    yield decodeName(name)
}

/** @throws PdfUnreadable */
export function* readObjects(bytes: Buffer, budget: Budget): Generator<PdfObject> {
  for (let at = bytes.indexOf('obj'); at >= 0; at = bytes.indexOf('obj', at + 3)) {
    const before = bytes[at - 1] ?? 0
    if (whitespace.has(before) || isDigit(before)) yield readObject(bytes, at + 3, budget)
  }
}

function readObject(bytes: Buffer, from: number, budget: Budget): PdfObject {
  const names: string[] = []
  /** Arrays and dictionaries that are open. */
  const open: number[] = []
  const close = (opening: string) => {
    if (open.pop() !== code(opening)) throw new PdfUnreadable()
  }
  let at = from
  while (at < bytes.length) {
    const begin = at
    const byte = bytes[at] as number
    const isDouble = bytes[at + 1] === byte
    if (byte === code('%')) at = endOfComment(bytes, at)
    else if (byte === code('(')) at = endOfString(bytes, at)
    else if (byte === code('<') && !isDouble) at = after(bytes, '>', at)
    else if (byte === code('[') || byte === code('<')) {
      open.push(byte)
      at += byte === code('<') ? 2 : 1
    } else if (byte === code(']')) {
      close('[')
      at += 1
    } else if (byte === code('>') && isDouble) {
      close('<')
      at += 2
    } else if (byte === code('/')) {
      at = endOfWord(bytes, at + 1)
      names.push(decodeName(bytes.toString('latin1', begin + 1, at)))
    } else if (isRegular(byte)) {
      at = endOfWord(bytes, at)
      const word = bytes.toString('latin1', begin, Math.min(at, begin + 10))
      if (endings.has(word)) {
        if (open.length > 0) throw new PdfUnreadable()
        return { names, stream: word === 'stream' ? endOfLine(bytes, at) : null }
      }
    } else at += 1
    budget.bytes -= at - begin
    if (budget.bytes < 0) throw new PdfUnreadable()
  }
  return { names, stream: null }
}

function endOfWord(bytes: Buffer, from: number): number {
  let at = from
  while (isRegular(bytes[at])) at += 1
  return at
}

function endOfComment(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1
  return at
}

/** Parentheses inside are balanced or escaped. */
function endOfString(bytes: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === code('\\')) at += 1
    else if (byte === code('(')) depth += 1
    else if (byte === code(')')) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return bytes.length
}

function after(bytes: Buffer, mark: string, from: number): number {
  const at = bytes.indexOf(mark, from)
  return at < 0 ? bytes.length : at + mark.length
}

/** The data begins after one end of line. */
function endOfLine(bytes: Buffer, from: number): number {
  if (bytes[from] === 13) return bytes[from + 1] === 10 ? from + 2 : from + 1
  return bytes[from] === 10 ? from + 1 : from
}

function decodeName(name: string): string {
  return name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
