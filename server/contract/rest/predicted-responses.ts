/** What a key of each level gets of an operation, and why: the rules of the REST API, said beforehand. */
import { limits, windowTable } from '../http/limits.ts'
import { problems } from '../http/problems.ts'
import { type McpToolRow, toolRefusal } from '../mcp/tools.ts'
import type { OperationRow } from './operations.ts'

export type LevelAnswer = Readonly<{
  level: 'none' | 'read_only' | 'full'
  title: string
  allowed: boolean
  why: string
}>

const titles = { none: 'No key', read_only: 'Read-only key', full: 'Full key' } as const

/** In the order of what may do more. */
export function answersByLevel(row: OperationRow): readonly LevelAnswer[] {
  return [answer('none', row), answer('read_only', row), answer('full', row)]
}

function answer(level: LevelAnswer['level'], row: OperationRow): LevelAnswer {
  const title = titles[level]
  if (row.level === 'none')
    return { level, title, allowed: true, why: 'Needs no key and is not logged to one.' }
  if (level === 'none')
    return {
      level,
      title,
      allowed: false,
      why: `${problems.unauthorized.status}: ${problems.unauthorized.message}`,
    }
  if (row.level === 'full' && level === 'read_only')
    return {
      level,
      title,
      allowed: false,
      why: `${problems.read_only.status}: ${problems.read_only.message}`,
    }
  if (row.path === '/mcp')
    return {
      level,
      title,
      allowed: true,
      why:
        level === 'read_only'
          ? 'May post here and gets the tools that read.'
          : 'Tools that write are available once the key’s owner enables MCP writes.',
    }
  const reads = row.method === 'GET'
  return {
    level,
    title,
    allowed: true,
    why: reads
      ? `Reads the key’s own practice${row.phi ? ', and the access is written to the practice’s access record' : ''}.`
      : 'Writes to the key’s own practice. The same Idempotency-Key creates one record.',
  }
}

/** What a key of each kind gets of a tool of MCP, by the rule of the tools' own interface. */
export function answersByMcpKey(tool: Pick<McpToolRow, 'writes' | 'phi'>) {
  return mcpKeys.map(({ level, title, key }) => {
    const refusal = toolRefusal(tool, key)
    if (refusal !== null) {
      const { status, message } = problems[refusal]
      return { level, title, allowed: false, why: `${status}: ${message} The tool is not listed.` }
    }
    const recorded = tool.phi ? ', and the access is written to the practice’s access record' : ''
    const why = tool.writes
      ? 'Writes to the key’s own practice. The same idempotencyKey creates one record.'
      : `Reads the key’s own practice${recorded}.`
    return { level, title, allowed: true, why }
  })
}

const mcpKeys = [
  {
    level: 'read_only',
    title: 'Read-only key, whatever its MCP setting',
    key: { level: 'read_only', mcpWrites: true },
  },
  { level: 'full', title: 'Full key, MCP writes off', key: { level: 'full', mcpWrites: false } },
  { level: 'full_writes', title: 'Full key, MCP writes on', key: { level: 'full', mcpWrites: true } },
] as const

/** What holds for every level. */
export function boundsOf(row: OperationRow): readonly string[] {
  const [burst, sustained] = windowTable.restKey.windows
  const n = (value: number) => value.toLocaleString('en-US')
  return [
    ...(row.level === 'none'
      ? []
      : [`${n(burst.requests)} requests a second and ${n(sustained.requests)} a minute per key`]),
    ...(row.query && 'limit' in row.query.shape ? [`at most ${limits.pageSizeMax} records per page`] : []),
    ...(row.body ? [`a body of at most ${n(limits.bodyBytesMax)} bytes`] : []),
  ]
}
