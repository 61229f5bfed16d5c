/** What a caller would rather have. https://www.rfc-editor.org/rfc/rfc9110#name-accept */

/** True for a caller who names HTML and prefers it to XML: a browser does, one who takes anything does not. */
export function prefersPage(accept: string | null): boolean {
  const weights = weightsOf(accept ?? '')
  const page = weights.get('text/html') ?? 0
  const document = Math.max(weights.get('application/xml') ?? 0, weights.get('text/xml') ?? 0)
  return page > 0 && page >= document
}

function weightsOf(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.split(',').map((each) => {
      const [type = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      const weight = q === undefined ? 1 : Number(q.slice(2))
      return [type, Number.isNaN(weight) ? 0 : weight] as const
    }),
  )
}

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
