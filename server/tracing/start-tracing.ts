/** Starts tracing. This file and its packages are loaded only if an operator has set a collector. */
import { context, propagation, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import { switchTracing } from './spans.ts'

type Settings = {
  /** Base URL of an OTLP/HTTP collector. */
  endpoint: string
  serviceVersion: string
  /** The share of traces that is sent, 0 to 1, no matter whether they begin here or with a caller. */
  share: number
}

export type Tracing = {
  /** Sends the remaining spans. It resolves even if the collector does not respond. */
  close(): Promise<void>
}

export function startTracing({ endpoint, serviceVersion, share }: Settings): Tracing {
  const ratioSampler = new TraceIdRatioBasedSampler(share)
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new NodeTracerProvider({
    // The detector reads OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which override these values.
    resource: resourceFromAttributes({
      'service.name': 'sandpiper',
      'service.version': serviceVersion,
    }).merge(detectResources({ detectors: [envDetector] })),
    // A caller can choose the trace's ID, but must not decide how many traces are sent.
    sampler: new ParentBasedSampler({ root: ratioSampler, remoteParentSampled: ratioSampler }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  switchTracing(true)
  return {
    async close() {
      switchTracing(false)
      await provider.shutdown().catch(() => {})
      for (const api of [trace, context, propagation]) api.disable()
    },
  }
}
