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
