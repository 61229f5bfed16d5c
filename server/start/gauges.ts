/** From what operations watch to the gauges of `/metrics`. */
import type pg from 'pg'
import type { SealerHealth } from '../audit/sealer.ts'
import type { OperationsMetrics } from '../domain/operations/metric-queries.ts'
import type { GaugeReadings } from '../http/metrics.ts'
import type { Limiter } from '../limits/windows.ts'

const series = (counts: Readonly<Record<string, number>>, label: string) =>
  Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }))

export function sharedGauges(
  { jobs, outbox, exports, auditChainBroken, credentialsMended, ...oldest }: OperationsMetrics,
  audit: SealerHealth,
  searchRowsBehind: Readonly<Record<string, number>>,
  clockOffsetSeconds: number,
  logMonths: readonly { log: string; aheadSeconds: number }[],
): GaugeReadings {
  const folderFaults = Object.entries(audit.folders).map(
    ([name, state]) => [name, state === 'current' ? 0 : 1] as const,
  )
  return {
    sandpiper_audit_oldest_unsealed_seconds: [{ value: audit.oldestUnsealedSeconds ?? 0 }],
    sandpiper_audit_oldest_uncovered_seconds: [{ value: audit.oldestUncoveredSeconds ?? 0 }],
    sandpiper_audit_head_folder_faults: series(Object.fromEntries(folderFaults), 'folder'),
    sandpiper_audit_chain_broken: [{ value: auditChainBroken ? 1 : 0 }],
    sandpiper_clock_offset_seconds: [{ value: clockOffsetSeconds }],
    sandpiper_log_months_ahead_seconds: series(
      Object.fromEntries(logMonths.map(({ log, aheadSeconds }) => [log, aheadSeconds])),
      'log',
    ),
    sandpiper_credentials_mended: [{ value: credentialsMended }],
    sandpiper_jobs: jobs.flatMap(({ task, ...counts }) =>
      Object.entries(counts).map(([state, value]) => ({ labels: { task, state }, value })),
    ),
    sandpiper_jobs_oldest_due_seconds: [{ value: oldest.oldestDueSeconds ?? 0 }],
    sandpiper_outbox_mails: series(outbox, 'state'),
    sandpiper_outbox_oldest_waiting_seconds: [{ value: oldest.oldestMailSeconds ?? 0 }],
    sandpiper_exports: series(exports, 'state'),
    sandpiper_search_rows_behind: series(searchRowsBehind, 'type'),
  }
}

type Own = {
  pool: pg.Pool
  limits: ReturnType<Limiter['state']>
  build: { version: string; schema: string }
  /** Null: cannot be read. */
  exportFreeBytes: number | null
}

/** Of this process and its machine. */
export function ownGauges({ pool, limits, build, exportFreeBytes }: Own): GaugeReadings {
  const { totalCount, idleCount, waitingCount } = pool
  return {
    sandpiper_build_info: [{ labels: build, value: 1 }],
    sandpiper_limits_state: series({ [limits]: 1 }, 'state'),
    ...(exportFreeBytes !== null && { sandpiper_export_free_bytes: [{ value: exportFreeBytes }] }),
    sandpiper_database_connections: series({ in_use: totalCount - idleCount, idle: idleCount }, 'state'),
    sandpiper_database_requests_waiting: [{ value: waitingCount }],
  }
}
