/** Whether a write lost against a unique index: somebody else wrote the same thing first. */
export function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'P2002'
}
