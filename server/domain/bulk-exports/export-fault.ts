/** Simulated faults of sandbox exports: a slow export, a missing part, or links that expire early. */
import { z } from 'zod'
import { limits } from '../../contract/http/limits.ts'
import type { FaultStep } from '../../contract/lab/fault-script.ts'
import type { ExportFile } from './export-types.ts'

export const exportFault = z.strictObject({
  slowMinutes: z.int().nullable(),
  partial: z.boolean(),
  linkMinutes: z.int().nullable(),
})
export type ExportFault = z.output<typeof exportFault>

/** The simulated faults of a kick-off; null if there are none. */
export function exportFaultOf(fault: FaultStep | null): ExportFault | null {
  const values = new Map(fault?.map(({ code, value }) => [code, value]))
  const lab = {
    slowMinutes: values.get('bulk-slow') ?? null,
    partial: values.has('bulk-partial'),
    linkMinutes: values.get('bulk-short-links') ?? null,
  }
  return lab.slowMinutes === null && !lab.partial && lab.linkMinutes === null ? null : lab
}

type Run = { files: readonly ExportFile[]; createdAt: Date; endedAt: Date }

/** Applies the faults to the end of an export: a later end, fewer files, links that expire earlier. */
export function applyExportFault(lab: ExportFault | null, { files, createdAt, endedAt }: Run) {
  const slowUntil = createdAt.getTime() + (lab?.slowMinutes ?? 0) * 60_000
  const end = new Date(Math.max(endedAt.getTime(), slowUntil))
  const linkMinutes = lab?.linkMinutes ?? limits.bulkLinkHours * 60
  return {
    ...(lab?.partial ? leaveOutLastType(files) : { files, issues: [] as readonly string[] }),
    endedAt: end,
    readyAt: end > endedAt ? end : null,
    linksEndAt: new Date(end.getTime() + linkMinutes * 60_000),
  }
}

function leaveOutLastType(files: readonly ExportFile[]) {
  const type = files.at(-1)?.type
  const missing = files.filter((file) => file.type === type)
  const issues = missing.map(
    ({ count, type: name }) =>
      `${count} resources of type ${name} could not be exported. The sandbox simulated a partial failure.`,
  )
  return {
    files: files.filter((file) => file.type !== type),
    issues:
      issues.length > 0 ? issues : ['The sandbox simulated a partial failure. There was nothing to export.'],
  }
}

type SlowExport = { createdAt: Date; readyAt: Date | null; total: number | null }

/** The progress that a simulated slow export reports; null if it reports its real progress. */
export function seemingProgress({ createdAt, readyAt, total }: SlowExport, now: Date): number | null {
  if (readyAt === null || now >= readyAt) return null
  const duration = readyAt.getTime() - createdAt.getTime()
  const passed = Math.max(0, now.getTime() - createdAt.getTime())
  return Math.floor(((total ?? 0) * passed) / duration)
}
