/** The MCP server as an assistant meets it: a tool is called with a real key, and its answer is that key's practice. */
import type { Core } from '../../domain/core.ts'
import type { ProbeKey } from '../../domain/status/probe-key.ts'
import { httpProbe, reached, slowMs } from './http-probe.ts'
import { type Finding, found } from './probe.ts'

const message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_context', arguments: {} },
}

export async function lookAtMcp(core: Core, { key }: ProbeKey): Promise<Finding> {
  const { status, body, milliseconds } = await httpProbe(
    core,
    `${reached(core, core.env.REST_ORIGIN)}/api/v1/mcp`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(message),
    },
  )
  if (status !== 200 || practiceOf(body) === undefined) return found('down', 'MCP tools are not responding.')
  return milliseconds > slowMs
    ? found('degraded', 'MCP tools respond slowly.')
    : found('operational', 'MCP tools work.')
}

function practiceOf(body: unknown): unknown {
  type Answer = { result?: { structuredContent?: { data?: { practice?: { id?: unknown } } } } }
  return (body as Answer | undefined)?.result?.structuredContent?.data?.practice?.id
}
