/** Detects the violation of a unique constraint, whether Prisma or the driver reports it. */

/** @param constraint name of the constraint or index; any by default */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  if (error.code !== 'P2002' && error.code !== '23505') return false
  return constraint === undefined || JSON.stringify(detailsOf(error)).includes(constraint)
}

/** Prisma 7 hides the driver's error in `meta.driverAdapterError`. */
function detailsOf(error: object): unknown {
  if ('meta' in error) {
    const meta = error.meta as { driverAdapterError?: { cause?: unknown } } | undefined
    return meta?.driverAdapterError?.cause ?? meta
  }
  return 'constraint' in error ? error.constraint : null
}
