/** Every block of code in the documentation is produced or compared by a test: which one, by its language and stage. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseResponses } from '../../app/docs/guides/response-file.ts'
import { rootDir } from '../../server/root-dir.ts'
import { commandsOf, guideFiles, type Snippet, snippets, tutorialRequests } from '../support/snippets.ts'

const promises = 'tests/promises'
const snippetTests = `${promises}/guide-snippets`

/** Which test runs the blocks of a stage, in a language; `json` has no stage. */
const runs: Readonly<Record<string, string>> = {
  'sh rest': `${snippetTests}-rest.test.ts`,
  'sh write': `${snippetTests}-rest.test.ts`,
  'sh status': `${snippetTests}-rest.test.ts`,
  'sh fhir': `${snippetTests}-fhir.test.ts`,
  'sh system': `${snippetTests}-fhir.test.ts`,
  'sh open': `${snippetTests}-own.test.ts`,
  'sh app': `${snippetTests}-own.test.ts`,
  'sh secret': `${snippetTests}-own.test.ts`,
  'sh backend': `${snippetTests}-own.test.ts`,
  'sh own': 'tests/journeys/own-app.spec.ts',
  // Of each guide with such commands, `guides.test.ts` finds the journey.
  'sh shell': 'tests/conventions/guides.test.ts',
  'sh page': 'tests/conventions/guides.test.ts',
  'js own': 'tests/journeys/own-app.spec.ts',
  'py own': 'tests/journeys/own-app.spec.ts',
  'ts rest': `${snippetTests}-rest.test.ts`,
  'ts client': `${snippetTests}-rest.test.ts`,
  'ts status': `${snippetTests}-rest.test.ts`,
  'ts fhir': `${snippetTests}-fhir.test.ts`,
  'ts system': `${snippetTests}-fhir.test.ts`,
  // Settings of assistants. The one other is a response, which `guide-snippets-rest.test.ts` compares.
  'json ': 'tests/conventions/guides.test.ts',
}

/** Commands whose response no file holds, by how they begin, and why not. */
const unrecorded: readonly (readonly [begins: RegExp, why: string])[] = [
  [/^CODE_VERIFIER=/, 'prints an address that is random each time; the journey opens it'],
  [/^export /, 'shows nothing'],
  [/^curl "\$FHIR\//, 'asks a production practice; the tutorial of the patient app shows the same responses'],
  [/^until /, 'repeats a request until the export is complete; the guide to Bulk Data shows the manifest'],
  [/^curl -s "\$FILE_URL"/, 'writes a file; the guide to Bulk Data shows its lines'],
]

const kindOf = ({ language, stage }: Pick<Snippet, 'language' | 'stage'>) => `${language} ${stage}`

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

  test('is run or compared by the test of its kind', () => {
    const lost = snippets.filter((each) => {
      const file = runs[kindOf(each)]
      if (!file || !existsSync(join(rootDir, file))) return true
      const text = readFileSync(join(rootDir, file), 'utf8')
      return each.stage !== '' && each.stage !== 'own' && !text.includes(`'${each.stage}'`)
    })

    expect(lost.map((each) => `${each.guide}: ${kindOf(each)}`)).toEqual([])
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

test('JSON is a setting of an assistant, or the one error that is compared', () => {
  const json = snippets.filter(({ language }) => language === 'json').map(({ guide }) => guide)

  expect([...new Set(json)].toSorted()).toEqual(['errors', 'mcp'])
  expect(json.filter((guide) => guide === 'errors')).toHaveLength(1)
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
