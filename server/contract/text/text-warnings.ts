/**
 * What a text may hold by its labels: a warning, because only the author knows whether the value is real. A secret that
 * is known by its own shape is refused instead (server/domain/text-scan/check-text.ts).
 */
import { z } from 'zod'
import { normalize } from './normalize.ts'
import { lineText } from './typed-text.ts'

export type TextWarning = 'secret_value' | 'patient_details'

type WarningRow = Readonly<{
  /** What was seen, for the author. Never repeats the text. */
  message: string
  /** Reads a text that `readable` has prepared. */
  find: (text: string) => boolean
  /** Texts that are warned about, and texts that are not; a test reads all of them. */
  examples: readonly string[]
  counterExamples: readonly string[]
}>

const secretLabel =
  '(?:(?:client|app|application|shared|signing|webhook)[ _-]*secret|secret[ _-]*key|api[ _-]*(?:key|secret|token)|(?:access|refresh|bearer|auth|id|session)[ _-]*(?:key|token)|private[ _-]*key|pass(?:word|phrase|wd|code)|pwd|secret|token|credentials?)'
const saidToBe = '(?: ?[:=]+>? ?| ?[-–—=]+> ?|(?: value)? (?:is|was|are|reads)(?: now| set to)?:? )'
const labelledSecret = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${secretLabel})s?["'\`\\])*]*(${saidToBe}| [-–—] | )(["'\`]*)([^\\s"'\`]{4,200})(?:["'\`]|)`,
  'giu',
)

/** Written where a value would stand. */
const placeholder =
  /^(?:[<{[($%].*|(.)\1*|x+[-_.]x+.*|(?:your|my|the|some|insert|enter|replace)[-_].*|(?:change[-_ ]?me|example|sample|placeholder|redacted|removed|hidden|secret|password|token|string|null|none|undefined|empty|unknown|required|optional|todo|tbd|n\/a|true|false)\b.*)$/iu
/** Names of standards and amounts, which have letters and digits too. */
const technicalTerm =
  /^(?:(?:base|utf|sha|rfc|hs|rs|es|ps|aes|rsa|ecdsa|oauth|tls|hmac|pbkdf|argon|p)-?\d+\w{0,3}\b.*|\d+[-\s]?(?:bits?|bytes?|char\w*|digits?|hours?|minutes?|seconds?|days?|weeks?|months?|years?)\b.*|(?:https?|mailto):.*|v?\d+(?:\.\d+)*)$/iu

function isSecretValue([, sign = '', quote = '', typed = '']: RegExpMatchArray): boolean {
  const value = typed.replace(/[.,;:!?)\]}]+$/u, '')
  if (value.length < 4 || placeholder.test(value) || technicalTerm.test(value)) return false
  const hasDigit = /\p{Nd}/u.test(value)
  const hasLetter = /\p{L}/u.test(value)
  if (/^ ?[-–—]? ?$/u.test(sign))
    // A label and a value side by side, as in a table or on two lines.
    return value.length >= 12 && [...value.matchAll(/\p{L}(?=\p{Nd})|\p{Nd}(?=\p{L})/gu)].length >= 3
  const isAssignment = /[=>]/u.test(sign)
  if (quote !== '' || isAssignment) return /[\p{L}\p{N}]/u.test(value)
  if (value.length < 6) return false
  return (
    (hasDigit && (hasLetter || value.length >= 8)) ||
    /[\p{L}\p{N}][!@#$^&*+=~|\\][\p{L}\p{N}]/u.test(value) ||
    (value.length >= 10 && /\p{Ll}\p{Lu}.*\p{Ll}\p{Lu}/u.test(value))
  )
}

const valueSign = '["\'`)*]*(?: ?[:=#]+ ?| ?[-–—] ?| (?:is|was|no\\.?) | )["\'`(]?'
const strictSign = '["\'`)*]*(?: ?[:=#]+ ?| (?:is|was) )["\'`(]?'
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const date = `(?:\\d{1,4}[-/. ]\\d{1,2}[-/. ]\\d{1,4}|\\d{8}|\\d{1,2}(?:st|nd|rd|th)?(?: of)?[ -]${month},?[ -]\\d{2,4}|${month} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})(?!\\d)`
const dayLabel = '(?:dob|d\\. ?o\\. ?b\\.?|date of birth|birth[ _-]?date|birthday|born(?: on)?)'
const numberLabel =
  '(?:mrn|m\\. ?r\\. ?n\\.?|medical record (?:number|no\\.?|#)|chart (?:number|no\\.?|#)|patient (?:id|number|no\\.?))'
const nameLabel = '(?:(?:patient|full|first|last|given|family|legal)?[ _-]?(?:name|surname)|patient|pt\\.?)'
const before = '(?<![\\p{L}\\p{N}])'

const recordNumber = new RegExp(
  `${before}${numberLabel}${valueSign}[a-z]{0,4}-?(\\d[\\d-]{2,19})(?![\\p{L}\\d])`,
  'giu',
)
const signedNumber = new RegExp(
  `${before}${numberLabel}["'\`)]*\\s?[:=#]+ ?["'\`]?[a-z]{0,4}-?(\\d[\\d-]{2,19})`,
  'giu',
)
const birthDate = new RegExp(`${before}${dayLabel}${valueSign}${date}`, 'iu')
const signedBirthDate = new RegExp(
  `${before}${dayLabel}["'\`)]*\\s?[:=#]+ ?["'\`]?(?:${date}|(?:19|20)\\d{2})`,
  'iu',
)
const personName = new RegExp(
  `${before}${nameLabel}${strictSign}(?!(?:and|or|of|not|a|an|the|no|required|optional|string|text|field|unknown|none)(?![\\p{L}]))\\p{L}[\\p{L}'’.-]*(?:,? \\p{L})?`,
  'iu',
)

const hasNumber = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].some(([, digits = '']) => !/^(\d)\1*$/u.test(digits.replaceAll('-', '')))

export const textWarnings = {
  secret_value: {
    message:
      'This looks like a secret: a label such as “client secret”, “password”, “API key” or “token” with a value.',
    find: (text) => [...text.matchAll(labelledSecret)].some(isSecretValue),
    examples: [
      'client_secret is Kx7pQ9vTz2Lm4',
      'Our client secret is Kx7pQ9vTz2Lm4, please keep it.',
      'the form has client_secret=Zm9vYmFyYmF6 in it',
      '{"client_secret": "Zm9vYmFyYmF6"}',
      'clientSecret: Kx7pQ9vTz2Lm4',
      'Password: hunter22',
      'the password is “correcthorse”',
      'API key → 9f8e7d6c5b4a3210',
      'api-key = abcdefghij',
      'Use the token: 4f1c-99ab-7e20-55d1.',
      'CLIENT SECRET IS KX7PQ9VTZ2LM4',
      'client secret\nis\nKx7pQ9vTz2Lm4',
      'Client secret:\r\n  Kx7pQ9vTz2Lm4',
      'Client secret\n\nKx7pQ9vTz2Lm4',
      'ｃｌｉｅｎｔ＿ｓｅｃｒｅｔ　ｉｓ　Ｋｘ７ｐＱ９ｖＴｚ２',
      'client\u200b_sec\u00adret is Kx7p\u2060Q9vTz2Lm4',
      'client\u00a0secret\u2028is Kx7pQ9vTz2Lm4',
      '**password**: s3cr3t!value',
    ],
    counterExamples: [
      'The client secret is stored in Vault.',
      'Our client secret is kept in a vault and rotated every 90 days.',
      'The password is required, and has at least 12 characters.',
      'client_secret=<your secret>',
      'client_secret: xxxxxxxx',
      'client_secret = ********',
      'password: %PASSWORD%',
      'API key: YOUR_API_KEY',
      'token is {{token}}',
      'No client secret: we use PKCE.',
      'Token: none. Client secret: not needed for a public client.',
      'The token is base64url-encoded and signed with RS256.',
      'The access token is 32 bytes long, and the refresh token is valid for 90 days.',
      'We read the API key from a secret store on the server.',
      'Passwords are hashed with argon2id. Tokens are opaque.',
      'We send client_id and client_secret with private_key_jwt or client_secret_basic.',
      'Secret rotation: every 30 days. Key handling is described at https://docs.samplewood.example/keys2.',
    ],
  },
  patient_details: {
    message:
      'This looks like a patient’s details: a record number, a date of birth or a name, with their values.',
    find: (text) => {
      const seen = [hasNumber(text, recordNumber), birthDate.test(text), personName.test(text)]
      return seen.filter(Boolean).length >= 2 || hasNumber(text, signedNumber) || signedBirthDate.test(text)
    },
    examples: [
      'Name: Robin Testwell, DOB: 03/14/1958, MRN: 0044812',
      'patient name is Robin Testwell and date of birth is 14 March 1958',
      'The patient’s MRN is 0044812 and she was born on March 14, 1958.',
      'name: robin testwell\ndob 1958-03-14',
      'NAME: ROBIN TESTWELL\r\nMRN 0044812',
      'MRN is\n0044812, DOB is\n1958-03-14',
      'she is in the chart as MRN: 0044812',
      'DOB: 1958-03-14',
      'medical record number # A-100233',
      'Ｎａｍｅ： Ｒｏｂｉｎ Ｔｅｓｔｗｅｌｌ， ＤＯＢ １９５８－０３－１４',
      'M\u200bRN: 0044812',
      'Patient: Ñandú Ößmann, D.O.B. 14.03.1958',
      'Name: 試太郎, date of birth 1958-03-14',
    ],
    counterExamples: [
      'We store DOB and MRN.',
      'We search by name, MRN and date of birth.',
      'Patients are matched by MRN: it must be unique. The name is shown in the header.',
      'MRN: 0000000 and DOB: YYYY-MM-DD are placeholders.',
      'The field for the date of birth is optional since 2026-01-01.',
      'Name: required. Date of birth: required.',
      'The app was born in 2019. Its name is Sample Intake.',
      'Release 2026-11-23: the MRN is now searchable.',
      'Call us on 555-0199; the patient list has 40 names.',
    ],
  },
} as const satisfies Record<TextWarning, WarningRow>

/** One spelling of what reads the same: plain letters, no invisible characters, straight quotes, single spaces. */
function readable(text: string): string {
  return normalize(text, 'NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
    .replace(/[“”„«»]/gu, '"')
    .replace(/[‘’‚‹›]/gu, "'")
    .replace(/[→⇒]/gu, '->')
    .replace(/[\s\p{Cc}]+/gu, ' ')
}

/** The first warning that a text gives rise to; null: none. */
export function findTextWarning(text: string): TextWarning | null {
  const prepared = readable(text)
  const kinds = Object.keys(textWarnings) as TextWarning[]
  return kinds.find((kind) => textWarnings[kind].find(prepared)) ?? null
}

export const keepReasonLength = { min: 10, max: 300 } as const

/** What a form says besides its own fields when its author has seen a warning and keeps the text. */
export const keptTextForm = z.object({
  /** The fields whose warning was seen. */
  keepText: z.array(z.string().max(60)).max(40),
  keepReason: lineText({
    ...keepReasonLength,
    short: `Enter a reason of at least ${keepReasonLength.min} characters.`,
    only: [/^[^\p{Cc}\p{Cn}\p{Co}\p{Cs}]*$/u, 'Remove control characters.'],
  }).refine((text) => findTextWarning(text) === null, 'Explain it without the value.'),
})

/** One request's texts: what its author keeps after a warning, and what the scan makes of it. */
export type TextReview = {
  /** As it was typed; null when the form has no override. */
  kept: { keepText: readonly string[]; keepReason: string } | null
  /** The warning that stopped the request. */
  warned: { field: string; seen: TextWarning; reasonFault?: string } | null
  /** Warnings that were overridden, by field, and why: the audit row of the act holds them. */
  overridden: Map<string, TextWarning>
  reason: string | null
}

export const newTextReview = (stored: TextReview['kept'] = null): TextReview => ({
  kept: stored,
  warned: null,
  overridden: new Map(),
  reason: null,
})
