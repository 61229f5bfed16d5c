/**
 * Whether a caller would rather have Markdown than a page: its quality is above that of HTML, or the same and named
 * first. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function prefersMarkdown(accept: string | null): boolean {
  if (accept === null) return false
  const ranges = accept.split(',').map(parseRange)
  const markdown = ranges.find(({ type }) => type === 'text/markdown')
  if (!markdown || markdown.quality === 0) return false
  const html = ranges.find(({ type }) => type === 'text/html')
  if (!html || markdown.quality !== html.quality) return markdown.quality > (html?.quality ?? 0)
  return ranges.indexOf(markdown) < ranges.indexOf(html)
}

function parseRange(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const written = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = written === undefined ? 1 : Number(written.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** A page of the documentation, by its address: those have a Markdown beside them, at the same address with `.md`. */
export function isDocsPage(pathname: string): boolean {
  return /^\/docs(\/[^.]*)?$/.test(pathname)
}
