/** Phrases that read as if they were translated, in what people read: guides, emails, pages and the READMEs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { listTrackedFiles } from '../support/tracked-files.ts'

/** How often each is still there. A number only goes down; rewriting a page lowers it. */
const phrases: readonly (readonly [phrase: string, pattern: RegExp, most: number])[] = [
  ['whoever', /\bwhoever\b/gi, 53],
  ["somebody's", /\bsomebody(?:'|’)s\b/gi, 4],
  ['of it', /\bof it\b/g, 53],
  ['stands in', /\bstands? in\b/g, 35],
  ['told', /\btold\b/gi, 55],
  ['lies at', /\blies? (?:at|in)\b/g, 3],
  ['anew', /\banew\b/g, 18],
  ['what is, what waits', /\bwhat (?:is|was|waits)\b(?! (?:the|your)\b)/gi, 194],
  ['mail for email', /(?<![\w@/.-])mails?\b(?!-)/gi, 257],
  ['nobody', /\bnobody\b/gi, 96],
  ['asked for', /\basked for\b/gi, 75],
  ['door', /\bdoors?\b/gi, 4],
  ['room', /\brooms?\b/gi, 3],
]

const places = /^(?:README|CONTRIBUTING)\.md$|^server\/README\.md$|^(?:docs|emails|app)\/.*\.(?:mdx?|tsx?)$/

const read = listTrackedFiles()
  .filter((file) => places.test(file) && !/\.test\.tsx?$|golden/.test(file))
  .map((file) => [file, readFileSync(join(rootDir, file), 'utf8')] as const)

test.each(phrases)('“%s” is not used more often than before', (_phrase, pattern, most) => {
  const found = read.flatMap(([file, text]) => [...text.matchAll(pattern)].map(() => file))

  expect(found.length, [...new Set(found)].join('\n')).toBeLessThanOrEqual(most)
})
