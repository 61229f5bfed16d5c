/** Switches tracing on where an operator named a collector; this file and its packages are loaded only then. */
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
  /** Of the traces that begin here or with a caller, the share that is sent: 0 to 1. */
  share: number
}

export type Tracing = {
  /** Sends what is left. Resolves also when the collector is away. */
  close(): Promise<void>
}

export function startTracing({ endpoint, serviceVersion, share }: Settings): Tracing {
  const byShare = new TraceIdRatioBasedSampler(share)
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come from OpenTelemetry's own reader.
    resource: resourceFromAttributes({
      'service.name': 'sandpiper',
      'service.version': serviceVersion,
    }).merge(detectResources({ detectors: [envDetector] })),
    // A caller may name a trace, and does not decide how much is sent.
    sampler: new ParentBasedSampler({ root: byShare, remoteParentSampled: byShare }),
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
