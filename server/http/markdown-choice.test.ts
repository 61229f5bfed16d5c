import { expect, test } from 'vitest'
import { isDocsPage, prefersMarkdown } from './markdown-choice.ts'

test.each([
  ['text/markdown', true],
  ['text/markdown, text/html;q=0.9', true],
  ['Text/Markdown; q=0.8, */*;q=0.1', true],
  ['text/markdown, text/html', true],
  ['text/html, text/markdown', false],
  ['text/html, text/markdown;q=0.5', false],
  ['text/markdown;q=0', false],
  ['text/markdown;q=lots', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['*/*', false],
  ['', false],
  [null, false],
])('Accept: %s, Markdown: %s', (accept, expected) => {
  expect(prefersMarkdown(accept)).toBe(expected)
})

test('pages have a Markdown beside them, files do not', () => {
  expect(['/docs', '/docs/limits', '/docs/errors/not_found'].filter(isDocsPage)).toHaveLength(3)
  expect(
    ['/docs.md', '/docs/limits.md', '/docsearch', '/', '/docs/changelog.xml'].filter(isDocsPage),
  ).toEqual([])
})
