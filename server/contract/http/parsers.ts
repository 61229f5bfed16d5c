/**
 * Everything that reads bytes from outside while it serves others: how much it takes, and where it runs. On a thread
 * that serves, the worst input takes `turnMsMax` at most in one turn; what may take longer runs elsewhere, with a
 * deadline. A test tries the worst input of each row. Guides are files of the release, NDJSON is read by commands only,
 * and XML, YAML and CSV are never read.
 */
import { fileRules } from '../forms/files.ts'
import { projectDescriptionLength } from '../forms/keys.ts'
import { pdfBounds } from '../forms/pdf-rules.ts'
import { limits } from './limits.ts'

export const turnMsMax = 20

/** Node's own bound of the request line and all headers. */
const headBytesMax = 16_384
/** Of a response that we fetch. */
export const fetchedBytesMax = 262_144
/** Of an email that asks for a key. */
export const emailBytesMax = 262_144
export const emailBounds = { milliseconds: 5_000, heapMegabytes: 128, memoryMegabytes: 192 } as const
export const logoMsMax = 5_000

type ParserRow = Readonly<{
  title: string
  bytesMax: number
  /** Milliseconds after which it is ended, where it does not run on a thread that serves. */
  elsewhereMsMax?: number
}>

// biome-ignore format: a table reads as a table
export const parsers = {
  url: { title: 'Request lines, and addresses in fields', bytesMax: headBytesMax },
  headers: { title: 'Accept, Prefer, Range, If-None-Match, X-Forwarded-For', bytesMax: headBytesMax },
  cookies: { title: 'Cookies', bytesMax: headBytesMax },
  search: { title: 'FHIR search parameters', bytesMax: 24_000 },
  oauth: { title: 'OAuth parameters', bytesMax: 32_768 },
  scopes: { title: 'Scopes', bytesMax: 8_192 },
  assertion: { title: 'Signed assertions (JWT)', bytesMax: 8_192 },
  keySet: { title: 'Key sets (JWKS)', bytesMax: fetchedBytesMax },
  json: { title: 'JSON bodies', bytesMax: limits.bodyBytesMax },
  form: { title: 'Forms without files', bytesMax: limits.portalBodyBytesMax },
  multipart: { title: 'Forms with files', bytesMax: limits.documentFormBytesMax },
  emailAddress: { title: 'Email addresses', bytesMax: limits.portalBodyBytesMax },
  name: { title: 'Names that others read', bytesMax: limits.portalBodyBytesMax },
  text: { title: 'Texts that others read, scanned for secrets and patient details', bytesMax: limits.portalBodyBytesMax },
  markdown: { title: 'Fields of an agreement, in its Markdown', bytesMax: limits.portalBodyBytesMax },
  question: { title: 'Searches of the documentation', bytesMax: headBytesMax },
  chartText: { title: 'Text of a document, for MCP', bytesMax: 4 * limits.mcpTextMax },
  log: { title: 'Errors that quote what they refuse, for the log', bytesMax: limits.bodyBytesMax },
  email: { title: 'Emails that ask for a key (MIME)', bytesMax: emailBytesMax, elsewhereMsMax: emailBounds.milliseconds },
  statements: { title: 'Their text', bytesMax: 4 * projectDescriptionLength.max },
  image: { title: 'Logos', bytesMax: fileRules.logo.bytesMax, elsewhereMsMax: logoMsMax },
  pdf: { title: 'PDFs to sign', bytesMax: fileRules.agreement.bytesMax, elsewhereMsMax: pdfBounds.milliseconds },
} as const satisfies Record<string, ParserRow>

export type ParserName = keyof typeof parsers
