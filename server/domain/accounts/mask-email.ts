/** An address as it may be shown to somebody else: enough for its owner to know it, not enough to write to. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, at)
  const domain = email.slice(at + 1)
  const [firstOfDomain = ''] = domain
  return `${first}…@${firstOfDomain}…${domain.slice(domain.lastIndexOf('.'))}`
}
