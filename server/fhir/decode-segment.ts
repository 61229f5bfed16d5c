/** What cannot be decoded is a name that nothing has. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return '%'
  }
}
