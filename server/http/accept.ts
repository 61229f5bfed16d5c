/** Content negotiation. https://www.rfc-editor.org/rfc/rfc9110#name-accept */

/**
 * Parses `Accept` or `Accept-Encoding` into names, in order, with weights from 0 to 1.
 * https://www.rfc-editor.org/rfc/rfc9110#name-quality-values
 */
export function parseWeights(header: string | null): { name: string; weight: number }[] {
  return (header ?? '').split(',').map((text) => {
    const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
    const written = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = written === undefined ? 1 : Number(written.slice(2))
    return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 }
  })
}

/** Whether the client prefers HTML to XML, as browsers do. The range `*` + `/*` does not count as HTML. */
export function prefersPage(accept: string | null): boolean {
  const ranges = parseWeights(accept)
  const weightOf = (name: string) => ranges.find((range) => range.name === name)?.weight ?? 0
  const page = weightOf('text/html')
  return page > 0 && page >= Math.max(weightOf('application/xml'), weightOf('text/xml'))
}

/** Whether the client prefers Markdown to HTML: it has a higher weight, or the same and comes first. */
export function prefersMarkdown(accept: string | null): boolean {
  const ranges = parseWeights(accept)
  const markdown = ranges.find(({ name }) => name === 'text/markdown')
  if (!markdown || markdown.weight === 0) return false
  const html = ranges.find(({ name }) => name === 'text/html')
  if (!html || markdown.weight !== html.weight) return markdown.weight > (html?.weight ?? 0)
  return ranges.indexOf(markdown) < ranges.indexOf(html)
}

/** Whether the path is a documentation page. Those are also served as Markdown, under the same path with `.md`. */
export const isDocsPage = (pathname: string): boolean => /^\/docs(\/[^.]*)?$/.test(pathname)
