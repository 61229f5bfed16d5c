/**
 * Traces in the words of OpenTelemetry. Off unless `start-tracing.ts` has switched it on; then nothing of a span says
 * whose data it was: names and attributes are route patterns, statements without values, tasks and states.
 * https://opentelemetry.io/docs/specs/semconv/
 */
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

let on = false

export function switchTracing(to: boolean): void {
  on = to
}

export const isTracing = (): boolean => on

/** Whether what runs here belongs to a request or a job that is traced. */
export const isInSpan = (): boolean => on && trace.getActiveSpan() !== undefined

type SpanOptions = {
  kind: keyof typeof SpanKind
  attributes?: Attributes
  /** `traceparent` of who asked: https://www.w3.org/TR/trace-context/. Unset: the span that is open here. */
  parent?: string | null | undefined
}

/** Does the work inside a span; a rejection makes it a failed one. Without tracing, only does the work. */
export async function withSpan<Result>(
  name: string,
  { kind, attributes, parent }: SpanOptions,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (!on) return work(null)
  const options = { kind: SpanKind[kind], ...(attributes && { attributes }) }
  return trace.getTracer('sandpiper').startActiveSpan(name, options, parentContext(parent), async (span) => {
    try {
      return await work(span)
    } catch (error) {
      failSpan(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** The kind of error, never its message, which may quote a value. */
export function failSpan(span: Span, error: unknown): void {
  const { name = 'Error', code } = (error ?? {}) as { name?: string; code?: unknown }
  span.setAttribute('error.type', typeof code === 'string' ? code : name)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** `traceparent` of the span that is open here, to continue the trace elsewhere; undefined without a span. */
export function traceParent(): string | undefined {
  if (!on) return undefined
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

function parentContext(parent: string | null | undefined): Context {
  if (parent === undefined) return context.active()
  return propagation.extract(trace.deleteSpan(context.active()), { traceparent: parent ?? '' })
}
