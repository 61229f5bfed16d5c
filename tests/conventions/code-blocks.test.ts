/** Every block of code in the documentation is one that the tests know, and every command has its response. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseResponses } from '../../app/docs/guides/response-file.ts'
import { rootDir } from '../../server/root-dir.ts'
import { commandsOf, guideFiles, snippets, tutorialRequests } from '../support/snippets.ts'

/** Commands whose response no file holds, by how they begin, and why not. */
const unrecorded: readonly (readonly [begins: RegExp, why: string])[] = [
  [/^CODE_VERIFIER=/, 'prints an address that is random each time; the journey opens it'],
  [/^export /, 'shows nothing'],
  [/^curl "\$FHIR\//, 'asks a production practice; the tutorial of the patient app shows the same responses'],
  [/^until /, 'repeats a request until the export is complete; the guide to Bulk Data shows the manifest'],
  [/^curl -s "\$FILE_URL"/, 'writes a file; the guide to Bulk Data shows its lines'],
]

describe('a block of code in a guide', () => {
  test('is one that the tests know: it begins its line and says its language', () => {
    const odd = guideFiles.flatMap((name) => {
      const text = readFileSync(join(rootDir, 'docs', name), 'utf8')
      const fences = text.match(/^\s*(?:```|~~~).*$/gm) ?? []
      const known = snippets.filter(({ guide }) => `${guide}.mdx` === name).length
      return fences.length === 2 * known ? [] : [name]
    })

    expect(odd).toEqual([])
  })

  test('that is a command has its response recorded, or a reason why not', () => {
    const missing = snippets.filter(
      (each) =>
        each.language === 'sh' &&
        !['page', 'shell'].includes(each.stage) &&
        !unrecorded.some(([begins]) => begins.test(each.code)) &&
        !recorded(each.guide).has(each.code),
    )

    expect(missing.map(({ guide, code }) => `${guide}: ${code}`)).toEqual([])
    for (const [begins, why] of unrecorded)
      expect(
        snippets.some(({ code }) => begins.test(code)),
        `${begins}: ${why}`,
      ).toBe(true)
  })
})

test('no recorded response is left of a command that no guide has', () => {
  const stale = guideFiles
    .map((name) => name.replace('.mdx', ''))
    .flatMap((guide) => {
      const known = [...commandsOf(guide), ...tutorialRequests(guide).map(({ code }) => code)]
      return [...recorded(guide).keys()]
        .filter((code) => !known.includes(code))
        .map((code) => `${guide}: ${code}`)
    })

  expect(stale).toEqual([])
})

function recorded(guide: string): ReturnType<typeof parseResponses> {
  const file = join(rootDir, `docs/responses/${guide}.txt`)
  return existsSync(file) ? parseResponses(readFileSync(file, 'utf8')) : new Map()
}
