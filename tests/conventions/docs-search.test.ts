/** The search of the documentation and the portal answers what readers ask. */
import { expect, test } from 'vitest'
import { docsIndex, searchEntries } from '../../app/docs/guides/search-index.server.ts'
import { excerptOf, markHits } from '../../app/shared/search/excerpt.ts'
import { meanings } from '../../app/shared/search/meanings.ts'
import { readQuestion } from '../../app/shared/search/question.ts'
import { entryKinds, loadIndex, searchDocs } from '../../app/shared/search/search.ts'
import { type DocsQuestion, docsQuestions } from '../support/docs-questions.ts'

const addresses = {
  portal: 'https://portal.example',
  rest: 'https://rest.example',
  fhir: 'https://fhir.example',
}
const { index, text: json } = docsIndex(addresses)
const entries = searchEntries(addresses)

const answer = ({ asks, pages }: DocsQuestion) => {
  const first = searchDocs(index, asks, 3).map(({ to }) => to)
  return { asks, first, isRight: first.some((to) => pages.some((page) => isPage(to, page))) }
}
const isPage = (to: string, page: string) => to === page || to.startsWith(`${page}#`)

test('57 of the 60 questions of readers have the right page among the first three', () => {
  const wrong = docsQuestions.map(answer).filter(({ isRight }) => !isRight)

  expect(docsQuestions).toHaveLength(60)
  expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(3)
})

test.each([
  ['Retry-After', '/docs/limits'],
  ['rate_limited', '/docs/errors/rate_limited'],
  ['revinclude', '/docs/fhir'],
  ['wren testwell', '/docs/sandbox-people'],
  ['certifed', '/docs/faq'],
  ['vouches', '/docs/glossary'],
  ['partial output', '/docs/bulk'],
  ['MCP assistant tools', '/docs/mcp'],
  ['listPatients', '/docs/reference/rest/listPatients'],
  ['AllergyIntolerance', '/docs/reference/fhir/AllergyIntolerance'],
  ['offline_access', '/docs/scopes'],
  ['invalid_client', '/docs/smart'],
  ['dark mode', '/account'],
])('%s finds %s, in the browser as on the server', (question, path) => {
  const found = searchDocs(index, question, 8)

  expect(found.map(({ to }) => to.split('#')[0])).toContain(path)
  expect(searchDocs(loadIndex(json), question, 8)).toEqual(found)
})

test.each([
  ['nothing', ''],
  ['what nobody wrote', 'xylophone'],
  ['a text without words', '<<>> ((('.repeat(50)],
  ['what nobody wrote, many times', '<xylophone> ((('.repeat(50)],
])('%s finds nothing', (_, question) => {
  expect(searchDocs(index, question, 8)).toEqual([])
})

test('an entry of every kind is found by its own label', () => {
  for (const kind of Object.keys(entryKinds)) {
    const [own] = entries.filter((entry) => entry.kind === kind)
    const found = searchDocs(index, own?.label ?? '', 20)
    expect(
      found.some((each) => each.kind === kind && each.to === own?.to),
      `${kind}: ${own?.label}`,
    ).toBe(true)
  }
})

test('every phrase of the table of meanings is read as one, and finds something', () => {
  const lost = meanings.flatMap(({ says }) =>
    says.filter((phrase) => readQuestion(phrase).length !== 1 || searchDocs(index, phrase, 1).length === 0),
  )

  expect(lost).toEqual([])
})

test('an excerpt shows the words around a hit that stands deep in a text, marked', () => {
  const text = `${'Nothing of note. '.repeat(40)}Each use of a refresh token replaces it.${' More of the same.'.repeat(40)}`
  const parts = excerptOf(text, ['refresh', 'token'])

  expect(parts.filter(({ isHit }) => isHit)).toEqual([{ text: 'refresh token', isHit: true }])
  expect(parts.map((part) => part.text).join('')).toMatch(
    /^… .*Each use of a refresh token replaces it\. .* …$/,
  )
})

test('marking changes no letter, whatever the text', () => {
  for (const text of ['', '   ', 'tokens  of\nToken', 'rate_limited, RATE', '“Ünïcode” token'])
    expect(
      markHits(text, ['token', 'rate'])
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
})

test('the index is a small file', () => {
  expect(json.length).toBeLessThan(680_000)
})
