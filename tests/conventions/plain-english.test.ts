/**
 * Words and phrases that people in the field do not use, in what people read: pages, emails, error texts, commands and
 * READMEs.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { copyOf, proseOf } from '../support/copy.ts'
import { listTrackedFiles } from '../support/tracked-files.ts'

/** What to write instead is in quotation marks. */
const forbidden: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['whoever: “the person who”, “anyone who”', /\bwhoever\b/i],
  [
    'somebody, anybody, everybody, nobody: “someone”, “anyone”, …',
    /\b(?:some|any|every|no)body(?:['’]s)?\b/i,
  ],
  ['told: “notified”, “emailed”', /\btold\b/i],
  ['anew: “again”', /\banew\b/i],
  ['lies at, stands in: “is in”', /\b(?:lies (?:at|in)|stands? (?:in|below|there))\b/i],
  ['asked for: “requested”', /^Asked for\b|\b(?:is|was|are|were|be|been) asked for\b/i],
  ['of it: name the thing', /\b(?:what|nothing|which|who|knows|page|end) of it\b/i],
  ['what waits, what was: name the thing', /^(?:[^?]*[.:] )?What (?:waits|was|came|stands|holds|serves)\b/],
  ['mail: “email”', /(?<![\w@/.-])mail(?:s|ed)?\b(?! (?:servers?|programs?|transport))/i],
  ['go on: “continue”', /\b(?:go|goes|going) on\b/i],
  ['by itself: “automatically”', /\bby (?:itself|themselves)\b/i],
  ['meanwhile: “in the meantime”', /\bmeanwhile\b/i],
  ['put right, begin again: “correct”, “start again”', /\b(?:put right|begin again)\b/i],
  ['slip of the pen: “typo”', /\bslip of the pen\b/i],
  ['that is none: “invalid”', /\bthat is none\b/i],
  ['vouch, papers, the ball: “sponsor”, “agreements”, “next step”', /\bvouch|\bpapers\b|\bhold the ball\b/i],
  ['a key lives: “expires after”', /\b(?:key|token|link|code|session)s? lives?\b/i],
  ['second step: “two-step sign-in”', /\bsecond steps?\b/i],
  ['cancelled: “canceled”', /\bcancell(?:ed|ing)\b/i],
]

/** Texts that keep a word: published, signed, or not for people. */
const kept: readonly (readonly [file: RegExp, text: RegExp])[] = [
  // Attestations that were signed in these words.
  [/^server\/contract\/workflows\/registration-form\.ts$/, /uses it for what it told them/],
  // Sentences of the guides, quoted to be found in them.
  [/^app\/docs\/guides\/client-duties\.ts$/, /./],
  // What people may type into the search.
  [/^app\/shared\/search\//, /./],
  // The label of a link in the terminal, and the README's quotation of it.
  [
    /^(?:scripts\/commands\/(?:dev|start)\.mjs|README\.md|app\/account\/sign-up\/check-your-mail\.route\.tsx)$/,
    /\bMail\b/,
  ],
  // Names of classes, of a user of the machine and of a key in a form.
  [/./, /^[a-z][\w-]*(?: [a-z][\w-]*)*…?$|user named postgres or nobody|^second step …$/],
]

const sources = /^(?:app|emails|server|scripts)\/.*\.(?:tsx?|mjs)$/
const apart =
  /\.test\.tsx?$|\.suite\.ts$|golden|^app\/shared\/snippets\/|^server\/(?:store|ccd)\/|^server\/contract\/CHANGELOG/
const readmes = /^(?:README|CONTRIBUTING|SECURITY)\.md$|^(?:clients|examples)\/.*README\.md$/

function copyIn(file: string) {
  const source = readFileSync(join(rootDir, file), 'utf8')
  if (readmes.test(file)) return proseOf(source)
  return copyOf(file, source, !/^(?:app|emails)\//.test(file))
}

const files = listTrackedFiles()
const copy = files
  .filter((file) => readmes.test(file) || (sources.test(file) && !apart.test(file)))
  .flatMap((file) => copyIn(file).map(({ line, text }) => ({ file, line, text })))
  .filter(({ file, text }) => !kept.some(([where, what]) => where.test(file) && what.test(text.trim())))

describe('copy', () => {
  test('was found', () => {
    expect(copy.length).toBeGreaterThan(5_000)
  })

  test.each(forbidden)('has no %s', (_name, pattern) => {
    const found = copy.filter(({ text }) => pattern.test(text.trim()))

    expect(
      found.map(
        ({ file, line, text }) => `${file}:${line} ${text.replace(/\s+/g, ' ').trim().slice(0, 120)}`,
      ),
    ).toEqual([])
  })
})
