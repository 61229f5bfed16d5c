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
  },
  patient_details: {
    message:
      'This looks like a patient’s details: a record number, a date of birth or a name, with their values.',
    find: (text) => {
      const seen = [hasNumber(text, recordNumber), birthDate.test(text), personName.test(text)]
      return seen.filter(Boolean).length >= 2 || hasNumber(text, signedNumber) || signedBirthDate.test(text)
    },
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
