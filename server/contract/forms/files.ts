/** Files that forms take. The browser checks a file as it is chosen, and the server checks it again: same rule, same words. */

export interface FileRule {
  /** For the browser's picker. */
  accept: string
  bytesMax: number
  tooLarge: string
  isType: (bytes: Uint8Array) => boolean
  wrongType: string
}

const emptyFile = 'The file is empty. Choose another file.'

/** @param bytes of a large file at least one more than the rule allows */
export function findFileFault(rule: FileRule, bytes: Uint8Array): string | null {
  if (bytes.length === 0) return emptyFile
  if (bytes.length > rule.bytesMax) return rule.tooLarge
  return rule.isType(bytes) ? null : rule.wrongType
}

/** A form without a choice sends a file with no name. */
export const isChosenFile = (value: unknown): value is File => value instanceof File && value.name !== ''

const logoBytesMax = 512 * 1_024

/** The field that says where the file has a clause. */
export const clauseField = (clause: string) => `clause-${clause.replaceAll('_', '-')}`

export const fileRules = {
  /** A BAA of one's own. */
  agreement: {
    accept: 'application/pdf',
    bytesMax: 10_000_000,
    tooLarge: 'Use a file of at most 10 MB.',
    isType: (bytes) => beginsWith(bytes, '%PDF-'),
    wrongType: 'Use a PDF file.',
  },
  /** The logo of an app. */
  logo: {
    accept: 'image/png,image/jpeg,image/webp',
    bytesMax: logoBytesMax,
    tooLarge: `The file is larger than ${logoBytesMax / 1_024} kB.`,
    isType: (bytes) =>
      beginsWith(bytes, '\x89PNG\r\n\x1a\n') ||
      beginsWith(bytes, '\xff\xd8\xff') ||
      (beginsWith(bytes, 'RIFF') && beginsWith(bytes.subarray(8), 'WEBP')),
    wrongType: 'Upload a PNG, JPEG or WebP image.',
  },
  /** A document to verify: a changed one may be of any type, and only its hash is sent. */
  document: {
    accept: 'application/pdf',
    bytesMax: 50_000_000,
    tooLarge: 'Use a file of at most 50 MB.',
    isType: () => true,
    wrongType: '',
  },
} as const satisfies Record<string, FileRule>

/** Whatever its name says. */
function beginsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, at) => bytes[at] === character.charCodeAt(0))
}
