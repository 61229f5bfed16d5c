/** What a caller would rather have. https://www.rfc-editor.org/rfc/rfc9110#name-accept */

/**
 * The names of `Accept` or `Accept-Encoding` in their order, each with its weight from 0 to 1.
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

/** True for a caller who names HTML and prefers it to XML: a browser does, one who takes anything does not. */
export function prefersPage(accept: string | null): boolean {
  const ranges = parseWeights(accept)
  const weightOf = (name: string) => ranges.find((range) => range.name === name)?.weight ?? 0
  const page = weightOf('text/html')
  return page > 0 && page >= Math.max(weightOf('application/xml'), weightOf('text/xml'))
}

/** Whether a caller would rather have Markdown than a page: it weighs more than HTML, or the same and is named first. */
export function prefersMarkdown(accept: string | null): boolean {
  const ranges = parseWeights(accept)
  const markdown = ranges.find(({ name }) => name === 'text/markdown')
  if (!markdown || markdown.weight === 0) return false
  const html = ranges.find(({ name }) => name === 'text/html')
  if (!html || markdown.weight !== html.weight) return markdown.weight > (html?.weight ?? 0)
  return ranges.indexOf(markdown) < ranges.indexOf(html)
}

/** A page of the documentation, by its address: those have a Markdown beside them, at the same address with `.md`. */
export const isDocsPage = (pathname: string): boolean => /^\/docs(\/[^.]*)?$/.test(pathname)
