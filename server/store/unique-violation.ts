/** The violation of a unique constraint, whether Prisma or the driver reports it. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    /^(P2002|23505)$/.test(String(error.code))
  )
}
