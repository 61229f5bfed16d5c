/** Masks an email address, so that its owner recognizes it and others can't write to it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, at)
  const domain = email.slice(at + 1)
  const [firstOfDomain = ''] = domain
  return `${first}…@${firstOfDomain}…${domain.slice(domain.lastIndexOf('.'))}`
}
