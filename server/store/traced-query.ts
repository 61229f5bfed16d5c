/**
 * A statement as a span: https://opentelemetry.io/docs/specs/semconv/database/database-spans/. It is named by its
 * operation and first table, or by its own name, and holds neither its text nor its values.
 */
import { isInSpan, isTracing, withSpan } from '../tracing/spans.ts'

type Ask = (...args: unknown[]) => unknown
type Callback = (error: unknown, result?: unknown) => void

/** @param args as the driver takes them: a text or a config, values, and a callback in place of a promise */
export function tracedQuery(ask: Ask, args: readonly unknown[]): unknown {
  const [query] = args
  // A stream of COPY or a cursor, which ends by itself.
  if (typeof query === 'object' && query !== null && 'submit' in query) return ask(...args)
  // Of no request and no job, as a look at what changed: a trace of its own would say nothing.
  if (isTracing() && !isInSpan()) return ask(...args)
  const callback = args.at(-1)
  const span = (work: () => Promise<unknown>) =>
    withSpan(summaryOf(query), { kind: 'CLIENT', attributes: { 'db.system.name': 'postgresql' } }, work)
  if (typeof callback !== 'function') return span(async () => ask(...args))
  const own = callback as Callback
  void span(
    () =>
      new Promise((resolve, reject) => {
        ask(...args.slice(0, -1), (error: unknown, result: unknown) =>
          error ? reject(error as Error) : resolve(result),
        )
      }),
  ).then(
    (result) => own(null, result),
    (error) => own(error),
  )
}

/** Made from a text (statement-names.ts), which says more. */
const madeNames = /^(?:log|prisma):/

function summaryOf(query: unknown): string {
  const { text, name } = (typeof query === 'string' ? { text: query } : (query ?? {})) as {
    text?: string
    name?: string
  }
  if (name && !madeNames.test(name)) return name
  const [, operation = 'statement'] = /^\s*([a-z]+)/i.exec(text ?? '') ?? []
  const [, table] = /\b(?:FROM|INTO|UPDATE|JOIN)\s+("?[a-z_]+"?(?:\."?[a-z_]+"?)?)/i.exec(text ?? '') ?? []
  return [operation.toUpperCase(), table?.replaceAll('"', '')].filter(Boolean).join(' ')
}
