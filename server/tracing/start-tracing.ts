/** Switches tracing on where an operator named a collector; its packages are loaded only then. */
import { context, propagation, trace } from '@opentelemetry/api'
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

export async function startTracing({ endpoint, serviceVersion, share }: Settings): Promise<Tracing> {
  const [sdk, { OTLPTraceExporter }, { detectResources, envDetector, resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const byShare = new sdk.TraceIdRatioBasedSampler(share)
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new sdk.NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come from OpenTelemetry's own reader.
    resource: resourceFromAttributes({
      'service.name': 'sandpiper',
      'service.version': serviceVersion,
    }).merge(detectResources({ detectors: [envDetector] })),
    // A caller may name a trace, and does not decide how much is sent.
    sampler: new sdk.ParentBasedSampler({ root: byShare, remoteParentSampled: byShare }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
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
