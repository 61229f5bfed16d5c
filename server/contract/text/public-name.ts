/**
 * The one rule for every name that other people read: of people, organizations, practices, keys, apps, incidents. A name
 * is text of a stranger in our emails and on our pages, so it must not be able to pass for a link or for our own words.
 * Scripts: https://www.unicode.org/reports/tr39/#Restriction_Level_Detection , level “highly restrictive”.
 */
import { z } from 'zod'
import { looksLatin } from './latin-lookalikes.ts'
import { normalize } from './normalize.ts'
import { findSecret } from './secret-patterns.ts'
import { findTextWarning } from './text-warnings.ts'

/** https://www.unicode.org/reports/tr31/#Table_Recommended_Scripts , without Han and its companions. */
const scripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
] as const

/** Japanese, Chinese and Korean are each written in several scripts, and beside Latin. */
const scriptSets: readonly (readonly string[])[] = [
  ...scripts.map((script) => [script]),
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

const ofOneScript = scriptSets.map((set) => {
  const members = set.map((script) => `\\p{scx=${script}}`).join('')
  return new RegExp(`^(?:[^\\p{L}\\p{M}\\p{N}]|[\\p{scx=Common}\\p{sc=Inherited}${members}])*$`, 'u')
})

/** Joiners change how Arabic and Indic letters are drawn; anywhere else they are invisible. */
const joinersWithinWords = /(?<=[\p{Script=Arabic}\p{M}])[\u200c\u200d](?=\p{L})/gu
const joinersWithinEmoji = /(?<=\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)?)[\u200d\ufe0f]/gu
const ordinary = /^[\p{L}\p{M}\p{Nd} .,'’‘"“”„«»‹›()[\]&/+\-‐–—_:;!?¿¡#%*·・•|°=~。、]*$/u
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u2800]/u
/** More marks on one letter than any language writes: they run over the lines above and below. */
const stackedMarks = /\p{Mn}{4}/u

/** Mail programs make a link of all of these, and of a host name without any of them. */
const address = /:\/\/|@|\bwww[.。]|[\p{L}\p{N}][.。]\p{L}{2}|\d+\.\d+\.\d+\.\d+|\bmailto:|\btel:/iu
const phone = /(?:\d[\s().\-–/]*){10}/u

/** Words with which a message of ours would begin. In the name of an app or a key they are another person's. */
const officialWords =
  /\b(?:security|account|fraud|login|sign-?in|password) (?:alert|warning|notice|update|check|verification|team|department|support)\b|\b(?:verify|confirm|update|unlock|validate) (?:your|at|here|now|it|this)\b|\b(?:action|verification|confirmation) (?:required|needed)\b|\byour (?:account|password|key|access)\b|\b(?:click|tap|sign in|log ?in) (?:here|below|at|to|now)\b|\bsandpiper (?:support|security|team|staff|admin\w*|operations|account|alert|notice)\b|\burgent\b|\bimmediately\b/iu

/** Characters that no one sees, or that change what stands around them. */
export const hasInvisible = (text: string): boolean =>
  invisible.test(text.replace(joinersWithinWords, '').replace(joinersWithinEmoji, ''))

/** First reason why a tidied name cannot be shown to other people; null: none. */
export function findNameFault(name: string, { official = false } = {}): string | null {
  if (hasInvisible(name)) return 'Remove control and invisible characters.'
  if (address.test(name)) return 'Remove web and email addresses, and put a space after each full stop.'
  if (!ordinary.test(name.replace(joinersWithinWords, '')))
    return 'Use letters, digits and ordinary punctuation only.'
  if (!/[\p{L}\p{Nd}]/u.test(name)) return 'Use at least one letter or digit.'
  if (stackedMarks.test(normalize(name, 'NFD'))) return 'Use fewer accents per letter.'
  if (!ofOneScript.some((pattern) => pattern.test(name.replace(joinersWithinWords, ''))))
    return 'Use letters of one script only. Latin and Cyrillic letters look alike.'
  if (looksLatin(name))
    return 'All letters of this name look like Latin letters. Write it in Latin letters, or add a word.'
  if (phone.test(name)) return 'Remove phone numbers.'
  // The mails that carry the name would be held back, the warnings of a stolen account among them.
  if (findSecret(name) !== null) return 'Remove keys and tokens.'
  if (findTextWarning(name) !== null) return 'Remove secrets and patients’ details.'
  if (!official && officialWords.test(name))
    return 'This looks like a message from Sandpiper. Choose another name.'
  return null
}

/** Full-width and styled letters become plain ones, so that one name has one spelling. */
export const tidyName = (value: string): string => normalize(value, 'NFKC').replace(/\s+/gu, ' ').trim()

type NameRule = {
  /** The error for an empty field, such as `Enter your name.` */
  missing: string
  min?: number
  max: number
  /** Written by our own staff, who may use official words. */
  official?: boolean
}

/** A name from a form or a file: tidied, then checked. */
export function publicName({ missing, min = 1, max, official = false }: NameRule) {
  return z
    .string({ error: missing })
    .max(10_000, { error: `Use at most ${max} characters.`, abort: true })
    .transform(tidyName)
    .pipe(
      z
        .string()
        .min(1, { error: missing, abort: true })
        .refine((name) => [...name].length >= min, {
          error: `Use at least ${min} characters.`,
          abort: true,
        })
        .refine((name) => [...name].length <= max, { error: `Use at most ${max} characters.`, abort: true })
        .superRefine((name, context) => {
          const fault = findNameFault(name, { official })
          if (fault) context.addIssue({ code: 'custom', message: fault })
        }),
    )
}
