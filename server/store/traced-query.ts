/**
 * Traces a statement as a span: https://opentelemetry.io/docs/specs/semconv/database/database-spans/. The span has the
 * statement's name, or its operation and first table, but neither its text nor its values.
 */
import { isInSpan, isTracing, withSpan } from '../tracing/spans.ts'

type Ask = (...args: unknown[]) => unknown
type Callback = (error: unknown, result?: unknown) => void

/** @param args the arguments of `pg.Client.query` */
export function tracedQuery(ask: Ask, args: readonly unknown[]): unknown {
  const [query] = args
  // COPY streams and cursors end by themselves.
  if (typeof query === 'object' && query !== null && 'submit' in query) return ask(...args)
  // A statement outside of requests and jobs, such as a periodic check, would be a useless trace.
  if (isTracing() && !isInSpan()) return ask(...args)
  const callback = args.at(-1)
  const span = (work: () => Promise<unknown>) =>
    withSpan(summaryOf(query), { kind: 'CLIENT', attributes: { 'db.system.name': 'postgresql' } }, work)
  if (typeof callback !== 'function') return span(async () => ask(...args))
  const done = callback as Callback
  void span(
    () =>
      new Promise((resolve, reject) => {
        ask(...args.slice(0, -1), (error: unknown, result: unknown) =>
          error ? reject(error as Error) : resolve(result),
        )
      }),
  ).then(
    (result) => done(null, result),
    (error) => done(error),
  )
}

/** These names are hashes of a shape or too general, so the text says more. */
const vagueNames = /^(?:log|prisma):/

function summaryOf(query: unknown): string {
  const { text, name } = (typeof query === 'string' ? { text: query } : (query ?? {})) as {
    text?: string
    name?: string
  }
  if (name && !vagueNames.test(name)) return name
  const [, operation = 'statement'] = /^\s*([a-z]+)/i.exec(text ?? '') ?? []
  const [, table] = /\b(?:FROM|INTO|UPDATE|JOIN)\s+("?[a-z_]+"?(?:\."?[a-z_]+"?)?)/i.exec(text ?? '') ?? []
  return [operation.toUpperCase(), table?.replaceAll('"', '')].filter(Boolean).join(' ')
}
